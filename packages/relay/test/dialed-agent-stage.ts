import { signalboxMain } from "@signalbox/testing/programs";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "@signalbox/api";
import { testedAgent } from "@signalbox/testing/tested-agent";
import type { LifecycleStage } from "@signalbox/testing/session-lifecycle";
import { person, type RelayStage, until } from "@signalbox/testing/relay-stage";

/** One session whose agent, the one that is tested unless another is named, is dialed in by the real command. */
export class DialedAgentStage implements LifecycleStage, AsyncDisposable {
  readonly #stage: RelayStage;
  readonly #port: () => number;
  #dial: ChildProcess | undefined;
  #secret = "";
  session = "";

  readonly #agent: string;

  /** `port`: where dial connects to, if not to the hub itself. */
  constructor(
    stage: RelayStage,
    port: () => number = () => stage.hub.port,
    agent: string = testedAgent,
  ) {
    this.#stage = stage;
    this.#port = port;
    this.#agent = agent;
  }

  get engine() {
    return this.#stage.engine;
  }
  get requests(): readonly string[] {
    return this.#stage.modelRequests.map((request) => JSON.stringify(request));
  }
  readonly until = until;
  readonly has = (name: string) => this.#stage.has(name);
  readonly texts = (session: string) => this.#stage.texts(session);
  readonly ask = (session: string) => this.#stage.ask(session);

  async create(text: string): Promise<string> {
    ({ session: this.session, secret: this.#secret } = await this.#stage.invite("dialed"));
    await this.dial();
    await this.send(this.session, text);
    return this.session;
  }

  /** Starts the agent and dials; it goes on with the conversation, if there is one. */
  async dial(): Promise<void> {
    const { data, folder, agentEnvironment } = this.#stage;
    const file = join(data, "secret");
    writeFileSync(file, this.#secret, { mode: 0o600 });
    const { sessionId } = this.engine.sessions.get(this.session).summary as { sessionId?: string };
    const url = `ws://127.0.0.1:${this.#port()}/ws/cli/${this.session}`;
    const options = ["--data", join(data, "dial"), "--token-file", file, "--folder", folder];
    const resume = sessionId === undefined ? [] : ["--resume", sessionId];
    const agent = [this.#agent, ...resume];
    this.#dial = spawn(process.execPath, [signalboxMain, "dial", ...options, url, "--", ...agent], {
      env: agentEnvironment,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await until(() => this.engine.sessions.get(this.session).state === "running");
  }

  /** Settles with the exit code of the command. */
  async left(): Promise<number | null> {
    const dial = this.#dial;
    if (dial && dial.exitCode === null && dial.signalCode === null) await once(dial, "exit");
    return dial?.exitCode ?? null;
  }

  agents(): number[] {
    const pid = this.#dial?.pid;
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
      return children === "" ? [] : children.split(" ").map(Number);
    } catch {
      return []; // it is gone
    }
  }

  readonly allow = (ask: AskView) =>
    this.engine.asks.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } }, person);

  readonly send = (session: string, text: string, now = false) =>
    this.engine.prompts.send(session, crypto.randomUUID(), { text, now }, person);

  readonly turns = async (session: string, count: number) => {
    await until(() => {
      const { summary, queue } = this.engine.sessions.get(session);
      return summary.turns >= count && summary.status === "idle" && queue.length === 0;
    });
  };

  readonly loseHub = () => this.#stage.hub.stop();
  readonly startHub = () => this.#stage.start();

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dial?.kill("SIGTERM");
    await this.left();
  }
}
