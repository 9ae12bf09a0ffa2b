import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Actor,
  type EngineOptions,
  openEngine,
  type Engine,
  type SessionSummary,
} from "@signalbox/hub/engine";
import { openStore, type Store } from "@signalbox/hub/store";
import { startModel } from "@signalbox/model";
import type { AskView } from "@signalbox/api";
import { LINK_PATH } from "@signalbox/api/link";
import { type Runner, type RunnerOptions, startRunner } from "@signalbox/runner";
import type { Item } from "@signalbox/timeline";
import { provingHub } from "./proving-hub.ts";
import { acceptFirstRun } from "./first-run.ts";
import { oldAgent } from "./agent-stage.ts";
import { testedAgent } from "./tested-agent.ts";
import { until } from "./until.ts";
import { portToComeBackTo } from "./ports.ts";

export const person: Actor = { device: crypto.randomUUID(), name: "desk", role: "admin" };
const RUNNER = crypto.randomUUID();

type StageOptions = Pick<EngineOptions, "parkMs" | "tickMs" | "maxSessions" | "recorder">;

/** A store, an engine, a runner and a scripted model, all real, in a place that goes with the test. */
export class EngineStage implements AsyncDisposable {
  readonly place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-hub-")));
  readonly folder = join(this.place, "work");
  readonly home = join(this.place, "home");
  #model: Awaited<ReturnType<typeof startModel>> | undefined;
  #server: ReturnType<typeof Bun.serve> | undefined;
  readonly #proving = provingHub();
  readonly #port = portToComeBackTo();
  store!: Store;
  engine!: Engine;
  runner: Runner | undefined;

  static async open(options: { runner?: boolean } & StageOptions = {}): Promise<EngineStage> {
    const stage = new EngineStage();
    mkdirSync(stage.folder);
    mkdirSync(stage.home);
    stage.#model = await startModel({ script: "" });
    await stage.startHub(options);
    if (options.runner !== false) await stage.startRunner();
    return stage;
  }

  /** The store and the engine, as they were left. */
  async startHub(options: StageOptions = {}): Promise<void> {
    this.store = await openStore(join(this.place, "data"));
    const importTimes = { pollMs: 100, pauseFactor: 0, takeoverMs: 1000 };
    this.engine = await openEngine({
      store: this.store,
      ownRunner: RUNNER,
      importTimes,
      ...options,
    });
    const { engine } = this;
    await engine.settings.setEnvironments({ test: this.#environment() }, person);
    await engine.settings.setAgents(
      [
        {
          name: "claude-code",
          path: testedAgent,
          driver: "stdio",
          models: [],
          flags: [],
          environment: "test",
        },
        {
          name: "signalbox-agent",
          path: join(import.meta.dir, "../../reference-agent/bin/signalbox-agent.mjs"),
          driver: "stdio",
          models: [],
          flags: [],
          environment: "test",
        },
        {
          name: "old",
          path: oldAgent,
          driver: "sdk-url",
          models: [],
          flags: [],
          environment: "test",
        },
      ],
      person,
    );
    type RunnerConnection = ReturnType<Engine["runners"]["accept"]>;
    this.#server = Bun.serve<{ proof: string; connection?: RunnerConnection }>({
      port: this.#port,
      hostname: "127.0.0.1",
      fetch: (request, server) => {
        if (new URL(request.url).pathname !== LINK_PATH) return new Response(null, { status: 404 });
        return server.upgrade(request, { data: { proof: this.#proving.proof(request) } })
          ? undefined
          : new Response(null, { status: 400 });
      },
      websocket: {
        maxPayloadLength: 64 * 1024 * 1024,
        open: (socket) => {
          socket.send(socket.data.proof);
          socket.data.connection = engine.runners.accept({ id: RUNNER, own: true }, socket);
        },
        message: (socket, text) => socket.data.connection?.receive(String(text)),
        close: (socket) => socket.data.connection?.closed(),
      },
    });
  }

  /** As if its process had been killed: nothing is said to anyone. */
  async loseHub(): Promise<void> {
    await this.#server?.stop(true);
    await this.engine[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** For a runner in a process of its own. */
  get processOptions(): object {
    const { hub: _, key: __, ...options } = this.runnerOptions;
    return { ...options, ...this.#proving.forProcess(this.#url) };
  }

  get runnerOptions(): RunnerOptions {
    return {
      hub: this.#proving.find(this.#url),
      key: this.#proving.key,
      verifyDecisions: false,
      runner: RUNNER,
      dataFolder: join(this.place, "runner"),
      own: true,
      inheritFrom: { HOME: this.home, PATH: process.env["PATH"], LANG: "C.UTF-8" },
    };
  }

  async startRunner(options: Partial<RunnerOptions> = {}): Promise<void> {
    this.runner = await startRunner({ ...this.runnerOptions, ...options });
    await this.until(() => this.hasRunner);
  }

  /** Runs Claude Code beside Signalbox, as a person would in a terminal: `claude -p`. */
  async runOutside(prompt: string, flags: readonly string[] = []): Promise<string> {
    const child = Bun.spawn([testedAgent, "-p", prompt, "--output-format", "json", ...flags], {
      cwd: this.folder,
      env: {
        HOME: this.home,
        PATH: process.env["PATH"] ?? "",
        LANG: "C.UTF-8",
        ...this.#environment(),
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`claude -p failed: ${out}${errors}`);
    return (JSON.parse(out) as { session_id: string }).session_id;
  }

  get hasRunner(): boolean {
    return this.engine.runners.isConnected(RUNNER);
  }

  /** What the agents have said to the model, newest last. */
  get requests(): readonly string[] {
    return this.#model?.requests.map((request) => JSON.stringify(request)) ?? [];
  }

  /** The processes of agents that work in the folder. */
  agents(): number[] {
    return readdirSync("/proc").flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        if (readlinkSync(`/proc/${name}/cwd`) !== this.folder) return [];
        const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const isInChat = line.includes("stream-json") || line.startsWith("claude\0"); // 2.1.7 renames itself
        const isInTerminal = /^[^\0]*claude\0.*--settings=/.test(line);
        return isInChat || isInTerminal ? [Number(name)] : [];
      } catch {
        return []; // it is gone
      }
    });
  }

  #environment(): Record<string, string> {
    return {
      ANTHROPIC_BASE_URL: this.#model?.url ?? "",
      ANTHROPIC_API_KEY: "dummy-key-for-tests",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
  }

  /** Answers what Claude Code's terminal asks at its first start, as the person at the machine does. */
  acceptFirstRun(): void {
    acceptFirstRun(this.home, this.folder);
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  async until(holds: () => boolean): Promise<void> {
    await until(holds);
  }

  async create(
    options: Partial<Parameters<Engine["sessions"]["create"]>[1]> = {},
  ): Promise<SessionSummary> {
    return this.engine.sessions.create(
      crypto.randomUUID(),
      { folder: this.folder, ...options },
      person,
    );
  }

  send(session: string, text: string, now = false) {
    return this.engine.prompts.send(session, crypto.randomUUID(), { text, now }, person);
  }

  async ask(session: string): Promise<AskView> {
    const open = () => this.engine.asks.list().find((ask) => ask.session === session);
    await this.until(() => open() !== undefined);
    return open() as AskView;
  }

  allow(ask: AskView) {
    return this.engine.asks.answer(
      ask.id,
      { hash: ask.hash, decision: { behavior: "allow" } },
      person,
    );
  }

  /** The turn's end, with nothing left to do. */
  async turns(session: string, count: number): Promise<void> {
    await this.until(() => {
      const { summary, queue } = this.engine.sessions.get(session);
      return summary.turns >= count && summary.status === "idle" && queue.length === 0;
    });
  }

  items(session: string): Promise<Item[]> {
    return this.engine.history.listItems(session, undefined, 1000);
  }

  async texts(session: string): Promise<string[]> {
    const items = await this.items(session);
    return items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner?.stop();
    await this.loseHub();
    await this.#model?.close();
    rmSync(this.place, { recursive: true, force: true, maxRetries: 5 });
  }
}
