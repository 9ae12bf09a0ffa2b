import { hubProcess, signalboxMain, talkingAgent } from "@signalbox/testing/programs";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type HubClient, HubError, type Session } from "@signalbox/client";
import { pairDevice, type TestDevice } from "@signalbox/testing/paired-device";
import { startModel } from "@signalbox/model";
import { markedProcesses } from "@signalbox/host/agents";
import { LastOutput, whileAlive } from "./last-words.ts";
import { readProcessFile } from "@signalbox/testing/process-facts";
import { openProxy, type Proxy } from "./proxy.ts";
import { when } from "./seen.ts";
import { portToComeBackTo } from "@signalbox/testing/ports";
import { until } from "@signalbox/testing/until";

export interface RoomOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** How the hub's process is started, such as under a limit of descriptors. */
  readonly under?: readonly string[];
  /** The hub's data folder, where it is not to lie with the rest; the runner's. */
  readonly data?: string;
  readonly runnerData?: string;
  /** Where the runner is when it is beyond a network, and how it reaches the hub from there. */
  readonly far?: {
    readonly url: string;
    readonly under: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  /** More options of the hub's. */
  readonly hub?: Readonly<Record<string, unknown>>;
}

type Child = Bun.Subprocess<Blob, "pipe", "pipe">;

/** A hub, a runner and a line between them, each a process of its own that can be killed, and a model. */
export class Room implements AsyncDisposable {
  readonly place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-room-")));
  readonly folder = join(this.place, "work");
  readonly data: string;
  /** Where a talking agent writes down what was decided. */
  readonly decisions = join(this.place, "decisions");
  readonly #options: RoomOptions;
  readonly #clients: HubClient[] = [];
  #model!: Awaited<ReturnType<typeof startModel>>;
  hub!: Child;
  runner!: Child;
  #hubWords!: LastOutput;
  #runnerWords!: LastOutput;
  /** Between the runner and the hub. */
  link!: Proxy;
  url = "";
  desk!: TestDevice;
  #here!: TestDevice;
  admin!: HubClient;

  private constructor(options: RoomOptions) {
    this.#options = options;
    this.data = options.data ?? join(this.place, "data");
  }

  static async open(options: RoomOptions = {}): Promise<Room> {
    const room = new Room(options);
    for (const path of [room.folder, join(room.place, "home"), join(room.place, "tmp")]) {
      mkdirSync(path);
    }
    room.#model = await startModel({ script: "" });
    try {
      await room.#begin();
    } catch (failure) {
      await room[Symbol.asyncDispose]();
      throw failure;
    }
    return room;
  }

  async #begin(): Promise<void> {
    const code = await this.startHub();
    this.desk = await pairDevice({ url: this.url, code: code ?? "", name: "desk" });
    this.admin = this.client();
    const environment = {
      ANTHROPIC_BASE_URL: this.#model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-tests",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      RECORD: join(this.place, "said.ndjson"),
      DECISIONS: this.decisions,
      ...this.#options.environment,
    };
    await this.admin.setEnvironments({ test: environment });
    await this.useAgent(talkingAgent);
    const invitation = await this.admin.createPairing("runner");
    this.#here = await pairDevice({ url: this.url, code: invitation.code, name: "here" });
    this.link = await openProxy(Number(new URL(this.url).port));
    this.startRunner();
    await this.untilRunner();
  }

  /** The program that sessions run from now on; a talking one until then. */
  async useAgent(path: string): Promise<void> {
    const agent = { name: "claude-code", path, driver: "stdio", models: [], flags: [] };
    await this.admin.setAgents([{ ...agent, environment: "test" }]);
  }

  /** Starts the hub where it was. Gives the first pairing code, when there is one. */
  async startHub(): Promise<string | undefined> {
    const port = this.url ? Number(new URL(this.url).port) : portToComeBackTo();
    const options = { data: this.data, version: "0.0.0", port, ...this.#options.hub };
    const command = [...(this.#options.under ?? []), process.execPath, hubProcess];
    this.hub = this.#spawn(command, JSON.stringify(options));
    this.#hubWords = new LastOutput(this.hub.stderr, true);
    const line = await whileAlive("hub", this.hub, this.#hubWords, firstLine(this.hub));
    const { url, code } = JSON.parse(line) as { url: string; code?: string };
    this.url = url;
    return code;
  }

  async killHub(): Promise<void> {
    this.hub.kill("SIGKILL");
    await this.hub.exited;
  }

  startRunner(): void {
    const { far } = this.#options;
    const order = {
      hub: far?.url ?? this.link.url,
      home: { key: this.#here.credential.hub.key, ...(!far && { host: new URL(this.url).host }) },
      key: this.#here.secret,
      runner: this.#here.view.id,
      umask: 0o022,
    };
    const own = [process.execPath, signalboxMain, "runner", "--own", "--data", this.runnerData];
    const command = [...(far?.under ?? []), ...own];
    this.runner = this.#spawn(command, `${JSON.stringify(order)}\n`);
    this.#runnerWords = new LastOutput(this.runner.stderr, false); // it tells of every try
    void new Response(this.runner.stdout).text();
  }

  get runnerData(): string {
    return this.#options.runnerData ?? join(this.place, "runner");
  }

  async killRunner(): Promise<void> {
    this.runner.kill("SIGKILL");
    await this.runner.exited;
  }

  async untilRunner(online = true): Promise<void> {
    using board = this.admin.watchBoard();
    const told = when(board, () => board.view.runners.some((each) => each.online) === online);
    const alive = online ? whileAlive("runner", this.runner, this.#runnerWords, told) : told;
    await whileAlive("hub", this.hub, this.#hubWords, alive); // awaited here: the board ends with this
  }

  /** A client of its own, closed with the room. */
  client(url = this.url, device = this.desk.credential): HubClient {
    const client = connect({ url, device, schedule: (work) => void setTimeout(work, 5) });
    this.#clients.push(client);
    return client;
  }

  async session(steps?: unknown): Promise<Session> {
    const prompt = steps === undefined ? {} : { prompt: { text: getPrompt(steps) } };
    return this.admin.createSession({ folder: this.folder, runner: this.#here.view.id, ...prompt });
  }

  async send(session: string, steps: unknown, command?: string): Promise<void> {
    await this.admin.send(session, { text: getPrompt(steps) }, command ? { command } : {});
  }

  /** Nothing runs, waits or is on its way any more. */
  async idle(session: string, turns: number): Promise<void> {
    using board = this.admin.watchBoard();
    await when(board, () => {
      const view = board.view.session(session);
      const rests = view?.summary.status === "idle" && view.queue.length === 0;
      return rests && view.summary.turns >= turns;
    });
  }

  /** Every line that the talking agent of a session has written down, but what is not stored one by one. */
  said(conversation: string): string[] {
    const all = readFileSync(join(this.place, "said.ndjson"), "utf8").split("\n");
    const own = all.filter((line) => line.includes(`"session_id":"${conversation}"`));
    return own.filter((line) => !line.includes('"type":"stream_event"'));
  }

  /** Every agent that lives, with what it has started. */
  agents(): number[] {
    const mine = markedProcesses(`HOME=${join(this.place, "home")}`);
    return mine.filter((pid) => readProcessFile(pid, "environ").includes("SIGNALBOX_RUN="));
  }

  #spawn(command: readonly string[], input: string): Child {
    return Bun.spawn([...command], {
      cwd: this.folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: join(this.place, "home"),
        TMPDIR: join(this.place, "tmp"),
        LANG: "C.UTF-8",
        ...this.#options.far?.environment,
      },
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.close();
    this.link?.[Symbol.dispose]();
    for (const child of [this.runner, this.hub]) {
      child?.kill("SIGCONT");
      child?.kill("SIGKILL");
      await child?.exited;
    }
    for (const pid of this.agents()) kill(pid, "SIGKILL");
    await this.#model.close();
    rmSync(this.place, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function getPrompt(steps: unknown): string {
  return typeof steps === "string" ? steps : JSON.stringify(steps);
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it is gone by now
  }
}

/** Of one that says nothing the end is awaited by others. */
async function firstLine(child: Child): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  return new Promise(() => {});
}

/** Tries until the hub, which may be away, has answered; the same id makes it the same command. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  const attempt = () =>
    work().then(
      (value) => ({ value }),
      (failure: unknown) => {
        if (HubError.is(failure, "unreachable")) return undefined;
        throw failure;
      },
    );
  return (await until("the hub answers", attempt)).value;
}
