import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type HubClient } from "@signalbox/client";
import { filesWith } from "@signalbox/testing/canaries";
import { readProcessFile } from "@signalbox/testing/process-facts";
import { getCommandLineCredential, readDescriptor } from "../../../cli/src/hub/local-hub.ts";
import type { Page } from "playwright-core";
import { until } from "@signalbox/testing/until";
import { Story } from "../e2e/stage.ts";
import { type EarlierHub, openEarlierHub, words } from "./earlier-hub.ts";
import { explainMissingProgram } from "@signalbox/testing/earlier-program";
import { keptBy } from "./profile.ts";

setDefaultTimeout(600_000);

/** The last commit before devices had keys. */
const COMMIT = "e7f5043";
const missing = explainMissingProgram(COMMIT);
const reason = missing === undefined ? "" : ` (${missing})`;
const title = `a data folder of ${COMMIT}, upgraded in place${reason}`;

/** Lets a page that is offline ask the hub again; gives the answer's status, once the page is offline again. */
async function triesAgain(page: Page): Promise<number> {
  await page.locator("[data-link=offline]").waitFor();
  const answer = page.waitForResponse((each) => each.url().endsWith("/api/tickets"));
  await page.getByRole("button", { name: "Try now" }).click();
  const status = (await answer).status();
  await page.locator("[data-link=offline]").waitFor();
  return status;
}

/** As a person does: a hub that takes its time to answer is taken for away, and the page of before is shown. */
function reloadUntilLive(story: Story): Promise<void> {
  const { page } = story;
  return story.insists(
    async () => void (await page.reload()),
    (timeout) => page.locator("[data-link=live]").waitFor({ timeout }),
  );
}

/** Each test goes on where the one before it ended. */
describe.skipIf(missing !== undefined)(title, () => {
  let hub: EarlierHub;
  let now: Awaited<ReturnType<EarlierHub["upgrade"]>>;
  /** The command line, which looks at everything. */
  let looking: HubClient;
  let otherPage: Page;
  const runnersAtStart: number[] = [];
  const processes = (...marks: string[]) =>
    hub.stage.processes().filter((pid) => {
      const line = readProcessFile(pid, "cmdline").split("\0");
      return marks.every((mark) => line.includes(mark));
    });

  /** Waits until the agent of a session has said this, and its turn is over; gives what it said so. */
  const untilSaid = async (session: string, text: string) => {
    const items = async () => (await looking.items(session)).items;
    const said = async () =>
      (await items()).filter(
        (item) => item["kind"] === "text" && JSON.stringify(item).includes(text),
      );
    const isOver = async () =>
      (await said()).length > 0 && (await looking.session(session)).summary.status === "idle";
    await until(`the agent has said "${text}"`, isOver, { seen: items });
    return said();
  };

  beforeAll(async () => {
    hub = await openEarlierHub(COMMIT);
    runnersAtStart.push(...processes("runner", "--own"));
  });
  afterAll(async () => {
    looking?.close();
    await now?.stop();
    if (hub) await hub.stage.signalbox(["stop", "--all", "--data", hub.data]);
    await hub?.[Symbol.asyncDispose]();
  });

  test("[HD16] the hub is killed under its agents, and the page opens from the browser's own copy", async () => {
    const { story, stage } = hub;
    const { page } = story;
    await hub.earlier.kill();
    expect(runnersAtStart).toHaveLength(1);
    await page.locator("[data-link=offline]").waitFor();
    otherPage = await hub.owner.openAnother(`${hub.url}/`); // by its service worker
    await otherPage.locator("[data-link=offline]").waitFor();
    await page.goto(`${hub.url}/s/${hub.sessions.finished}`);
    await page.locator("[data-link=offline]").waitFor();
    await story.say(`${words.offline}\n::say And sent after the upgrade.`);
    // In the words of the earlier page, which is still the one that is open.
    await page.locator("[data-role=unsent]").getByText("kept here, not sent yet").waitFor();
    writeFileSync(stage.at("go.txt"), "");
    await until("the agent goes on without a hub", () => stage.has("went.txt"));
    now = await hub.upgrade();
  });

  test("[HD16] the command line works at once", async () => {
    const found = readDescriptor(hub.data);
    if (!found) throw new Error("there is no descriptor");
    looking = connect({ url: found.url, device: await getCommandLineCredential(hub.data, found) });
    const { exit, stdout, stderr } = await hub.stage.signalbox(["ls", "--data", hub.data]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    for (const id of Object.values(hub.sessions)) expect(stdout).toContain(id.slice(0, 4));
  });

  test("[HD11] the runner that lived on comes back with its agents, and nothing of the log is lost or doubled", async () => {
    const runners = () => looking.runners();
    const areThere = async () => (await runners()).filter(({ online }) => online).length === 2;
    await until("both machines are there", areThere, { seen: runners });
    expect(processes("runner", "--own")).toEqual(runnersAtStart);
    const { working } = hub.sessions;
    const readLog = async (id: string) =>
      (await looking.lines(id, { after: 0, limit: 1000 })).lines;
    expect(await untilSaid(working, words.away)).toHaveLength(1);
    for (const [id, before] of hub.before.lines) {
      const log = await readLog(id);
      expect(log.slice(0, before.length)).toEqual(before);
      expect(log.map(({ pos }) => pos)).toEqual(log.map((_, at) => at + 1));
      // Lines of a text that is being written have numbers too, and are not stored one by one.
      const numbers = log.flatMap(({ seq }) => seq ?? []);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    }
  });

  test("[HD16] sessions, projects, devices and open requests are what they were", async () => {
    const { before } = hub;
    const known = <T extends { id: string }>(rows: readonly T[]) =>
      rows.toSorted((a, b) => a.id.localeCompare(b.id));
    const session = ({ id, title, folder }: { id: string; title: string; folder: string }) => ({
      id,
      title,
      folder,
    });
    const device = ({ id, name: called, role }: { id: string; name: string; role: string }) => ({
      id,
      called,
      role,
    });
    expect(known((await looking.sessions()).map(session))).toEqual(
      known(before.sessions.map(session)),
    );
    expect(known((await looking.devices()).map(device))).toEqual(known(before.devices.map(device)));
    const folders = (projects: readonly unknown[]) =>
      (projects as { folder: string }[]).map(({ folder }) => folder).toSorted();
    expect(folders(await looking.projects())).toEqual(folders(before.projects));
    const asks = await looking.asks();
    expect(asks.map(({ id }) => id).toSorted()).toEqual(before.asks.map(({ id }) => id).toSorted());
  });

  test("[HD16] a page that was open over the upgrade waits for its reload, and keeps what was not sent", async () => {
    const { page } = hub.story;
    expect(await triesAgain(page)).toBe(503);
    const unsent = Object.values(await keptBy(page, "outbox"));
    expect(unsent).toMatchObject([{ prompt: { text: expect.stringContaining(words.offline) } }]);
    expect((unsent[0] as { refused?: string }).refused).toBeUndefined();
  });

  test("[HD11] the browser upgrades itself with a reload: no pairing, the draft is there, what was not sent is sent once", async () => {
    const { story } = hub;
    const { page } = story;
    await reloadUntilLive(story);
    // The other window is of before, and finds a credential that it does not know.
    expect(await triesAgain(otherPage)).toBe(503);
    await reloadUntilLive(new Story(otherPage, hub.stage.folder));
    await otherPage.close();
    const { credential } = await keptBy(page, "keys");
    expect(credential).toMatchObject({
      device: { name: "The owner's browser", role: "admin" },
      privateKey: "a private key",
    });
    expect(credential).not.toHaveProperty("token");
    await story.reads("And sent after the upgrade.");
    const said = await story.conversation.locator("[data-kind=prompt]").allInnerTexts();
    expect(said.filter((text) => text.includes(words.offline))).toHaveLength(1);
    await page.goto(`${hub.url}/s/${hub.sessions.working}`);
    await page.locator("[data-role=composer]").waitFor();
    await until("the draft is in the composer", async () => {
      return (await page.locator("[data-role=composer]").inputValue()) === words.draft;
    });
    const headers = { authorization: `Bearer ${hub.secrets.owner}` };
    const answer = await fetch(`${hub.url}/api/sessions`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "wrong-credential" }]);
  });

  test("[HD16] the open request is answered from the page, the command runs, and the queued message after it", async () => {
    const { story, stage } = hub;
    await story.page.goto(`${hub.url}/s/${hub.sessions.waiting}`);
    await story.allow();
    await story.reads(words.answered);
    expect(stage.has("answered.txt")).toBe(true);
    await story.reads(words.queued);
  });

  test("[HD11] a browser that was closed over the upgrade comes back as what it was", async () => {
    const { page } = await hub.guest.open(`${hub.url}/`);
    await page.locator("[data-link=live]").waitFor();
    const { credential } = await keptBy(page, "keys");
    expect(credential).toMatchObject({ device: { name: "A guest's tablet", role: "viewer" } });
    expect(credential).not.toHaveProperty("token");
    await hub.guest.close();
  });

  test("[HD11] the other machine's runner of before is let in, its agent is answered, and today's program upgrades its credential", async () => {
    const { story, far } = hub;
    await story.page.goto(`${hub.url}/s/${hub.sessions.far}`);
    await story.allow();
    await story.reads(words.far);
    expect(existsSync(join(hub.farFolder, "far.txt"))).toBe(true);
    far.kill("SIGTERM");
    await far.exited;
    const again = hub.stage.start(hub.farArguments);
    try {
      const runners = () => looking.runners();
      const isBack = async () => {
        const row = (await runners()).find(({ own }) => !own);
        return row?.online === true && isUpgraded();
      };
      const isUpgraded = () => !readFileSync(hub.credentialFile, "utf8").includes("token");
      await until("the other machine is back", isBack, { seen: runners });
      expect(JSON.parse(readFileSync(hub.credentialFile, "utf8"))).toMatchObject({
        machine: "far machine",
        key: expect.any(String),
        hubKey: expect.any(String),
      });
      const { id } = await looking.createSession({
        folder: hub.farFolder,
        runner: (await runners()).find(({ own }) => !own)?.id ?? "",
        prompt: { text: "Hello.\n::say Hello from afar." },
      });
      await untilSaid(id, "Hello from afar.");
    } finally {
      again.kill("SIGTERM");
      await again.exited;
    }
  });

  test("[HD17] the runner of before is replaced when its agents have nothing to do, and no token and no shared key is left in the data folder", async () => {
    const own = async () => (await looking.runners()).find((runner) => runner.own);
    const isNew = async () =>
      (await own())?.online === true &&
      processes("runner", "--own").join() !== runnersAtStart.join();
    await until("today's runner is there", isNew, { seen: own });
    const found = () => filesWith(Object.values(hub.secrets), hub.data);
    await until("no secret is left", () => found().length === 0, { seen: found });
    const { finished } = hub.sessions;
    await looking.send(finished, { text: "Hello.\n::say Hello again." });
    await untilSaid(finished, "Hello again."); // a session of before goes on under it
  });

  test("[HD16] the audit chain is whole, and says what was taken over", async () => {
    const args = ["audit", "--verify", "--json", "--limit", "1000", "--data", hub.data];
    const { exit, stdout, stderr } = await hub.stage.signalbox(args);
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
    expect(stdout + stderr).toContain('"devices-adopted"');
    expect(stdout.match(/"device-key"/g)).toHaveLength(3);
  });
});
