import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LineView, PairedDevice } from "@signalbox/api";
import { COMMAND_HEADER } from "@signalbox/api/constants";
import { openStage, type Started } from "@signalbox/testing/cli-stage";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { portToComeBackTo } from "@signalbox/testing/ports";
import { until } from "@signalbox/testing/until";
import type { Story } from "../e2e/stage.ts";
import { openEarlierProgram } from "@signalbox/testing/earlier-program";
import { BrowserProfile, keptBy, pairAs, untilOpensOffline } from "./profile.ts";

/** What is asked of the hub before and after the upgrade. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly state: string;
}
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export const words = {
  finished: "Finished long ago.",
  answered: "Answered after the upgrade.",
  queued: "The queued message ran.",
  away: "Said while the hub was away.",
  draft: "A thought that is not finished",
  offline: "Written while the hub was away.",
  far: "The far machine was answered.",
};
const bash = (command: string) => `::tool Bash ${JSON.stringify({ command })}`;

/**
 * A hub of an earlier commit with everything that an upgrade must not lose: two paired browsers, the
 * command line, a second machine, and sessions that are finished, at work, waiting and queued.
 */
export async function openEarlierHub(commit: string) {
  await using steps = new AsyncDisposableStack();
  const { main } = steps.use(openEarlierProgram(commit));
  const stage = steps.use(await openStage());
  const place = join(stage.folder, "..");
  const data = join(place, "data");
  const farData = join(place, "far-data");
  const farFolder = join(place, "home", "far-work");
  mkdirSync(farFolder);
  const port = portToComeBackTo();
  const url = `http://localhost:${port}`;
  const earlier = await startCommand(stage, ["serve", "--port", `${port}`, "--data", data], {
    main,
  });
  steps.defer(() => earlier.kill());

  const owner = new BrowserProfile(place, "owner", stage.folder);
  steps.defer(() => owner.close());
  const story = await owner.open(/http:\S+#pair=\S+/.exec(earlier.out())?.[0] ?? "");
  await pairAs(story.page, "The owner's browser");
  await untilOpensOffline(story.page);
  const token = await getToken(story);
  const ask = <T>(method: string, path: string, body?: unknown) =>
    askWithToken<T>(url, token, method, path, body);
  const agent = { name: "claude-code", path: testedAgent, driver: "stdio", models: [], flags: [] };
  await ask("PUT", "/api/agents", [agent]);

  const invite = async (role: string) =>
    ask<{ code: string; url: string }>("POST", "/api/pairings", { role });
  const guest = new BrowserProfile(place, "guest", stage.folder);
  steps.defer(() => guest.close());
  const guestStory = await guest.open((await invite("viewer")).url);
  await pairAs(guestStory.page, "A guest's tablet");
  const guestToken = await getToken(guestStory);
  await guest.close();

  const codeFile = join(place, "code");
  writeFileSync(codeFile, (await invite("runner")).code);
  const farArguments = ["runner", "--hub", url, "--name", "far machine", "--data", farData];
  const far = stage.start([...farArguments, "--code-file", codeFile], { main });
  steps.defer(() => far.kill("SIGKILL"));
  const runners = () => ask<{ id: string; own: boolean; online: boolean }[]>("GET", "/api/runners");
  await until(
    "both machines are there",
    async () => (await runners()).filter(({ online }) => online).length === 2,
    { seen: runners },
  );
  const farRunner = (await runners()).find(({ own }) => !own)?.id ?? "";

  const sessions = await beginSessions(story, stage);
  const farSession = await ask<ListedSession>("POST", "/api/sessions", {
    folder: farFolder,
    runner: farRunner,
    prompt: { text: `Go.\n${bash("touch far.txt")}\n::say ${words.far}` },
  });
  const asks = () => ask<{ id: string }[]>("GET", "/api/asks");
  await until("two requests are open", async () => (await asks()).length === 2, { seen: asks });

  const lines = async (session: string) =>
    (await ask<{ lines: LineView[] }>("GET", `/api/sessions/${session}/lines?after=0&limit=1000`))
      .lines;
  const before = {
    sessions: await ask<ListedSession[]>("GET", "/api/sessions"),
    projects: await ask<unknown[]>("GET", "/api/projects"),
    devices: await ask<Listed[]>("GET", "/api/devices"),
    asks: await asks(),
    lines: new Map<string, LineView[]>(),
  };
  for (const { id } of before.sessions) before.lines.set(id, await lines(id));

  const credentialFile = join(farData, "runners", `localhost_${port}`, "credential.json");
  const descriptor = JSON.parse(readFileSync(join(data, "hub.json"), "utf8")) as {
    token: string;
    key: string;
  };
  const credential = JSON.parse(readFileSync(credentialFile, "utf8")) as { token: string };
  const kept = steps.move();
  return {
    stage,
    data,
    url,
    port,
    earlier,
    owner,
    guest,
    story,
    sessions: { ...sessions, far: farSession.id },
    before,
    far,
    farArguments,
    farFolder,
    credentialFile,
    /** Bearer tokens and the key that the hub shared with its runner. */
    secrets: {
      owner: token,
      guest: guestToken,
      commandLine: descriptor.token,
      farRunner: credential.token,
      sharedKey: descriptor.key,
    },
    /** Starts today's program on the same folder and port. */
    async upgrade() {
      const args = ["serve", "--port", `${port}`, "--data", data, "--root", place];
      const now = await startCommand(stage, args);
      kept.defer(() => now.kill());
      return now;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
export type EarlierHub = Awaited<ReturnType<typeof openEarlierHub>>;

/** By the page, as a person does. Gives the ids. */
async function beginSessions(
  story: Story,
  stage: { readonly folder: string; readonly has: (name: string) => boolean },
) {
  const begin = (prompt: string) => beginInDialog(story, stage.folder, prompt);
  const getId = (address: string) => new URL(address).pathname.split("/").at(-1) ?? "";
  const finished = getId(await begin(`Begin.\n::say ${words.finished}`));
  await story.reads(words.finished);
  await story.page.locator('.session-head [data-lamp="idle"]').waitFor();
  const atWork = "touch begun.txt; until [ -e go.txt ]; do sleep 0.1; done; touch went.txt";
  const working = getId(await begin(`Work.\n${bash(atWork)}\n::say ${words.away}`));
  await story.allow();
  await until("the command runs", () => stage.has("begun.txt"));
  await story.page.locator("[data-role=composer]").fill(words.draft);
  const drafts = () => keptBy(story.page, "drafts");
  const isKept = async () => JSON.stringify(await drafts()).includes(words.draft);
  await until("the draft is kept", isKept, { seen: drafts });
  const waiting = getId(await begin(`Go.\n${bash("touch answered.txt")}\n::say ${words.answered}`));
  await story.ask.waitFor();
  await story.say(`And then.\n::say ${words.queued}`);
  await story.page.locator("[data-role=queued]").waitFor();
  return { finished, working, waiting };
}

/** Starts a session on the page of that time, whose new sessions began in a dialog, and goes to it. */
async function beginInDialog(story: Story, folder: string, prompt: string): Promise<string> {
  const { page } = story;
  await page.locator("[data-role=new-session]").click();
  await page.locator("[data-role=folder]").fill(folder);
  await page.locator("[data-role=first-prompt]").fill(prompt);
  const before = page.url();
  await page.locator("[data-role=start]").click();
  await page.waitForURL(({ href, pathname }) => href !== before && pathname.startsWith("/s/"));
  return page.url();
}

/** The bearer token of a browser of the time before keys. */
async function getToken(story: Story): Promise<string> {
  const { credential } = (await keptBy(story.page, "keys")) as {
    credential?: Partial<PairedDevice>;
  };
  const { token } = (credential ?? {}) as { token?: string };
  if (token === undefined) throw new Error("this browser has no token");
  return token;
}

export async function askWithToken<T>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      [COMMAND_HEADER]: randomUUID(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Starts a command that says where it is, and waits for that. */
async function startCommand(
  stage: Awaited<ReturnType<typeof openStage>>,
  args: string[],
  started: Started = {},
) {
  const child = stage.start(args, started);
  const said = { out: "", errors: "" };
  const collect = async (from: ReadableStream<Uint8Array>, to: "out" | "errors") => {
    const decoder = new TextDecoder();
    for await (const piece of from) said[to] += decoder.decode(piece, { stream: true });
  };
  void collect(child.stdout, "out");
  void collect(child.stderr, "errors");
  await until(
    "the hub says where it is",
    () => said.out.includes("http://localhost") || child.exitCode !== null,
    { seen: () => said },
  );
  if (child.exitCode !== null) throw new Error(`the hub did not start: ${said.errors}`);
  return {
    pid: child.pid,
    out: () => said.out,
    errors: () => said.errors,
    /** Ends it as a power cut does. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
