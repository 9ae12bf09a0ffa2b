import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { realpathSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Line, lines, lineText, SignalboxError } from "@signalbox/protocol";
import type { AgentFacts, Capabilities, Driver, Run } from "../driver.ts";
import type { Launch } from "../launch.ts";
import { launchFailed, type RunEnd } from "../run-end.ts";
import { agentEnvironment, RUN_MARKER } from "./environment.ts";
import { type Exit, meaningOf } from "./exit.ts";
import { Family } from "./family.ts";
import { findAgent, type FoundAgent } from "./find-agent.ts";
import { commandLine } from "./options.ts";
import { Outbox } from "./outbox.ts";
import { Tail } from "./tail.ts";
import { classOf, oldestVersion, readVersion } from "./version.ts";

const STDERR_KEPT = 64 * 1024;
const LINES_KEPT = 8;
const LINE_KEPT_LENGTH = 64 * 1024;
const LAST_WORDS_MS = 1000;
const PIPE_STEP_MS = 10;
const capabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: true,
  images: true,
  subagents: true,
  rewind: true,
  steering: true,
};

export interface StdioOptions {
  /** How long each step of stopping waits before the next one. */
  readonly graceMs?: number;
  readonly lineLimit?: number;
}

/** Runs Claude Code as a process of ours and talks to it over its stdin and stdout. */
export function stdioDriver(options: StdioOptions = {}): Driver {
  return { name: "stdio", capabilities, start: (launch) => start(launch, options) };
}

async function start(launch: Launch, options: StdioOptions): Promise<Run> {
  const folder = realFolder(launch.folder); // first: a missing one looks like a missing program
  const runId = crypto.randomUUID();
  const env = agentEnvironment(launch.inheritFrom ?? process.env, {
    ...(launch.fileCheckpoints !== false && { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" }),
    ...launch.environment,
    [RUN_MARKER]: runId,
  });
  const found = findAgent(launch.agentPath, env);
  const version = await readVersion(found, env);
  const agent: AgentFacts = { path: found.path, version, versionClass: classOf(version) };
  if (agent.versionClass === "unsupported" && launch.allowUnsupported !== true) {
    throw launchFailed("unsupported", { path: found.path, version, oldest: oldestVersion });
  }
  const { args, leftOut } = commandLine(launch, version);
  const running = new AgentProcess(spawnIn(folder, found, args, env), launch, runId, options);
  await running.started.catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw launchFailed("not-started", { path: found.path, why }, { cause });
  });
  const { incoming, closed, send, close } = running;
  return {
    driver: "stdio",
    capabilities,
    agent,
    leftOut,
    folder,
    ...(running.pid !== undefined && { pid: running.pid }),
    incoming,
    closed,
    send,
    close,
    get stderr() {
      return running.stderr;
    },
    [Symbol.asyncDispose]: close,
  };
}

function spawnIn(
  folder: string,
  found: FoundAgent,
  args: readonly string[],
  env: Record<string, string>,
) {
  try {
    // A session of its own: stopping reaches its whole group, and a Ctrl-C meant for us does not.
    return spawn(found.command, [...found.args, ...args], { cwd: folder, env, detached: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw launchFailed("not-started", { path: found.path, why }, { cause });
  }
}

function realFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch {
    throw launchFailed("folder-unusable", { folder, why: "it does not exist" });
  }
  throw launchFailed("folder-unusable", { folder, why: "it is not a folder" });
}

/** A running agent: its pipes, its family, and what its exit will mean. */
class AgentProcess {
  /** Settles when the process exists; rejects with what kept it from existing. */
  readonly started: Promise<unknown>;
  readonly closed: Promise<RunEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #family: Family;
  readonly #outbox: Outbox;
  readonly #graceMs: number;
  readonly #lineLimit: number | undefined;
  readonly #stderr = new Tail(STDERR_KEPT);
  readonly #lastLines: Line[] = [];
  #stopped: Exit["stopped"];
  #closing: Promise<void> | undefined;
  #beingRead = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    launch: Launch,
    runId: string,
    options: StdioOptions,
  ) {
    this.#child = child;
    this.#family = new Family(child.pid ?? 0, runId);
    this.#outbox = new Outbox(child.stdin);
    this.#graceMs = options.graceMs ?? 5000;
    this.#lineLimit = options.lineLimit;
    child.stdin.on("error", () => {}); // a broken pipe reaches senders, and everyone, through `closed`
    child.stderr.on("data", (piece: Buffer) => this.#stderr.push(piece));
    this.started = once(child, "spawn");
    this.closed = this.#ending(launch, performance.now());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr.text;
  }

  readonly incoming: AsyncIterable<readonly Line[]> = {
    [Symbol.asyncIterator]: () => this.#read(),
  };

  readonly send = async (line: string): Promise<void> => {
    try {
      await this.#outbox.send(line);
    } catch (cause) {
      if (SignalboxError.isAny(cause)) throw cause;
      throw new SignalboxError("CONNECTION_CLOSED", { reason: await this.closed }, { cause });
    }
  };

  /** Its input ends, then TERM, then KILL, to the whole family; each step waits for it to leave. */
  readonly close = (): Promise<void> => (this.#closing ??= this.#stop());

  async #stop(): Promise<void> {
    const leaves = () =>
      Promise.race([this.closed, sleep(this.#graceMs, undefined, { ref: false })]);
    this.#stopped = "its input was closed";
    this.#child.stdin.end();
    if (await leaves()) return;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      this.#stopped = signal;
      this.#family.signal(signal);
      if (await leaves()) return;
    }
    await this.closed;
  }

  async *#read(): AsyncGenerator<readonly Line[], void, undefined> {
    this.#beingRead = true;
    const limit = this.#lineLimit === undefined ? {} : { limit: this.#lineLimit };
    try {
      for await (const batch of lines(this.#child.stdout, limit)) {
        this.#remember(batch);
        yield batch;
      }
    } catch (failure) {
      // We destroy the pipe ourselves when a stray child keeps it open after the agent has left.
      if (!this.#child.stdout.destroyed) throw failure;
    }
  }

  #remember(batch: readonly Line[]): void {
    for (const line of batch.slice(-LINES_KEPT)) {
      if (lineText(line).length <= LINE_KEPT_LENGTH) this.#lastLines.push(line);
    }
    this.#lastLines.splice(0, this.#lastLines.length - LINES_KEPT);
  }

  async #ending(launch: Launch, startedAt: number): Promise<RunEnd> {
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      this.#child.once("exit", (...how) => resolve(how));
    });
    const livedMs = Math.round(performance.now() - startedAt);
    await this.#family.endRest();
    await Promise.race([this.#pipesEmpty(), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    const { stderr } = this;
    const [stopped, lastLines] = [this.#stopped, this.#lastLines];
    return meaningOf({ code, signal, stopped, livedMs, launch, lastLines, stderr });
  }

  /**
   * The pipes end with the agent, unless some process that escaped still holds them: then they are
   * closed once nothing has come for a while. A reader that is slow keeps them open.
   */
  async #pipesEmpty(): Promise<void> {
    const { stdout, stderr } = this.#child;
    const done = () => stdout.readableEnded && stderr.readableEnded;
    for (let quietMs = 0; !done() && !stdout.destroyed; quietMs += PIPE_STEP_MS) {
      if (quietMs >= LAST_WORDS_MS) {
        stdout.destroy();
        stderr.destroy();
      }
      await sleep(PIPE_STEP_MS, undefined, { ref: false });
      if (stdout.readableLength > 0 || !this.#beingRead) quietMs = 0;
    }
  }
}
