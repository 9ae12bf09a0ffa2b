import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Line, readLines, lineText, SignalboxError } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";
import { delayWhileAwake } from "../../system/awake.ts";
import type { IsolationPlan } from "../../isolation/isolation.ts";
import { exitInside, startFailure } from "../../isolation/exit-inside.ts";
import type { Launch } from "../../launch/launch.ts";
import { type RunEnd, createRunEnd } from "../../launch/run-end.ts";
import { reapAdopted } from "./adopted-processes.ts";
import { type Exit, classifyExit } from "./exit.ts";
import { batchChunks } from "./batch-chunks.ts";
import { ProcessTree } from "./process-tree.ts";
import { StdinQueue } from "./outbox.ts";
import { newProcessTag, type ProcessTag } from "./process-tag.ts";
import { spawnTagged } from "./spawn-tagged.ts";
import { Tail } from "./tail.ts";

const STDERR_KEPT = 64 * 1024;
const LINES_KEPT = 8;
const LINE_KEPT_LENGTH = 64 * 1024;
const LAST_WORDS_MS = 1000;
const PIPE_STEP_MS = 10;

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly runId: string;
  readonly launch: Launch;
  /** What the program is started through; undefined: it is started as it is. */
  readonly isolation?: IsolationPlan;
  /** How long each step of stopping waits before the next one. */
  readonly graceMs?: number;
  readonly lineLimit?: number;
  /** False: the end of its input means nothing to it, and is not waited for. */
  readonly readsInput?: boolean;
  /** Told what it prints on its error stream, as it comes. */
  readonly onStderr?: (piece: Buffer) => void;
}

/** A running agent: its pipes, its family, and what its exit will mean. */
export class AgentProcess {
  readonly closed: Promise<RunEnd>;
  readonly #setting: ProcessOptions;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #family: ProcessTree;
  readonly #outbox: StdinQueue;
  readonly #stderr = new Tail(STDERR_KEPT);
  readonly #lastLines: Line[] = [];
  readonly #beingRead = deferred<void>();
  #stopped: Exit["stopped"];
  #closing: Promise<void> | undefined;
  #exited = false;

  /** Rejects with what kept the process from existing. */
  static async start(setting: ProcessOptions): Promise<AgentProcess> {
    const { folder: cwd, env, isolation } = setting;
    const { command, args } = isolation?.wrap(setting) ?? setting;
    const tag = newProcessTag();
    return new AgentProcess(setting, await spawnTagged(command, args, { cwd, env }, tag), tag);
  }

  private constructor(
    setting: ProcessOptions,
    child: ChildProcessWithoutNullStreams,
    tag: ProcessTag,
  ) {
    this.#setting = setting;
    this.#child = child;
    this.#family = new ProcessTree({
      leader: child.pid ?? 0,
      runId: setting.runId,
      tag,
      hasNamespace: setting.isolation?.hasNamespace ?? false,
    });
    this.#outbox = new StdinQueue(child.stdin);
    child.stderr.on("data", (piece: Buffer) => {
      this.#stderr.push(piece);
      setting.onStderr?.(piece);
    });
    // A broken pipe reaches senders through the outbox, and everyone through `closed`. (Bun 1.4 says
    // nothing while the process lives: what is written then is gone, and only a replay tells.)
    child.stdin.on("error", () => this.#pipeLost());
    child.stdout.on("end", () => this.#pipeLost());
    this.closed = this.#ending(performance.now());
  }

  /** How it left; undefined: it is there. */
  get exitStatus(): { readonly code: number | null; readonly signal: string | null } | undefined {
    if (!this.#exited) return undefined;
    return this.#asExited(this.#child.exitCode, this.#child.signalCode);
  }

  #asExited(code: number | null, signal: string | null) {
    return this.#setting.isolation?.hasNamespace ? exitInside({ code, signal }) : { code, signal };
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
  readonly close = (): Promise<void> => (this.#closing ??= this.#stop("its input was closed"));

  async #stop(first: Exit["stopped"]): Promise<void> {
    const graceMs = this.#setting.graceMs ?? 5000;
    const leaves = () => Promise.race([this.closed, delayWhileAwake(graceMs)]);
    this.#stopped = first;
    this.#child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const waits = signal !== "SIGTERM" || this.#setting.readsInput !== false;
      if ((waits && (await leaves())) || this.#exited) break;
      this.#stopped = signal;
      this.#family.signal(signal);
    }
    await this.closed;
  }

  /** An agent that closes a pipe is leaving. If it is not, nobody can talk to it: it is stopped. */
  #pipeLost(): void {
    setTimeout(() => {
      if (!this.#exited) this.#closing ??= this.#stop("it had closed its pipes");
    }, LAST_WORDS_MS).unref();
  }

  async *#read(): AsyncGenerator<readonly Line[], void, undefined> {
    this.#beingRead.resolve();
    const { lineLimit: limit } = this.#setting;
    try {
      for await (const batch of readLines(
        batchChunks(this.#child.stdout),
        limit === undefined ? {} : { limit },
      )) {
        this.#remember(batch);
        yield batch;
      }
    } catch (failure) {
      // We close the pipe ourselves when a stray child keeps it open after the agent has left.
      if ((failure as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw failure;
    }
  }

  #remember(batch: readonly Line[]): void {
    for (const line of batch.slice(-LINES_KEPT)) {
      if (lineText(line).length <= LINE_KEPT_LENGTH) this.#lastLines.push(line);
    }
    this.#lastLines.splice(0, this.#lastLines.length - LINES_KEPT);
  }

  async #ending(startedAt: number): Promise<RunEnd> {
    const exit = await new Promise<Pick<Exit, "code" | "signal" | "stopped" | "livedMs">>(
      (resolve) => {
        this.#child.once("exit", (code, signal) => {
          this.#exited = true;
          const livedMs = Math.round(performance.now() - startedAt);
          resolve({ ...this.#asExited(code, signal), stopped: this.#stopped, livedMs });
        });
      },
    );
    await this.#family.endRest();
    reapAdopted();
    this.#setting.isolation?.release();
    await Promise.race([this.#pipesEmpty(), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    const { launch, isolation, command: path } = this.#setting;
    const why = isolation?.hasNamespace ? startFailure(this.stderr) : undefined;
    const failedToStart = why !== undefined && exit.code === 1 && this.#lastLines.length === 0;
    const end = failedToStart
      ? createRunEnd("not-started", { path, why }, this.stderr)
      : classifyExit({ ...exit, launch, lastLines: this.#lastLines, stderr: this.stderr });
    return { ...end, exit: { exitCode: exit.code, signal: exit.signal } };
  }

  /**
   * The pipes end with the agent, unless some process that escaped still holds them: then they are
   * closed once nothing has come for a while. A reader that is slow keeps them open.
   */
  async #pipesEmpty(): Promise<void> {
    await this.#beingRead.promise;
    const { stdout, stderr } = this.#child;
    const done = () => stdout.readableEnded && stderr.readableEnded;
    for (let quietMs = 0; !done() && !stdout.destroyed; quietMs += PIPE_STEP_MS) {
      if (quietMs >= LAST_WORDS_MS) {
        stdout.destroy();
        stderr.destroy();
      }
      await sleep(PIPE_STEP_MS, undefined, { ref: false });
      if (stdout.readableLength > 0) quietMs = 0;
    }
  }
}
