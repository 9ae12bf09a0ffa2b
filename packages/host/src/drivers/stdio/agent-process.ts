import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Line, readLines, lineText, SignalboxError } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";
import { delayWhileAwake } from "../../system/awake.ts";
import type { IsolationPlan } from "../../isolation/isolation.ts";
import { unwrapSandboxExit, readSandboxStartFailure } from "../../isolation/sandbox-exit.ts";
import type { Launch } from "../../launch/launch.ts";
import { type RunEnd, createRunEnd } from "../../launch/run-end.ts";
import { reapOrphans } from "./orphans.ts";
import { type Exit, classifyExit } from "./exit.ts";
import { batchChunks } from "./batch-chunks.ts";
import { ProcessTree } from "./process-tree.ts";
import { StdinQueue } from "./stdin-queue.ts";
import { newProcessTag, type ProcessTag } from "./process-tag.ts";
import { spawnTagged } from "./spawn-tagged.ts";
import { Tail } from "./tail.ts";

const MAX_STDERR_LENGTH = 64 * 1024;
const MAX_LAST_LINES = 8;
const MAX_LAST_LINE_LENGTH = 64 * 1024;
const PIPE_GRACE_MS = 1000;
const PIPE_POLL_MS = 10;

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly launch: Launch;
  /** What the program is started through; undefined: it is started as it is. */
  readonly isolation?: IsolationPlan;
  /** How long each step of stopping waits before the next one. */
  readonly graceMs?: number;
  readonly lineLimit?: number;
  /** Whether the program reads its input. If it does not, closing its input does not make it exit. */
  readonly readsInput?: boolean;
  /** Called with each piece of the program's error output. */
  readonly onStderr?: (piece: Buffer) => void;
}

/** A running agent: its pipes, its process tree, and what its exit means. */
export class AgentProcess {
  readonly closed: Promise<RunEnd>;
  readonly #options: ProcessOptions;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #processTree: ProcessTree;
  readonly #stdin: StdinQueue;
  readonly #stderr = new Tail(MAX_STDERR_LENGTH);
  readonly #lastLines: Line[] = [];
  readonly #readingStarted = deferred<void>();
  #stopReason: Exit["stopReason"];
  #closing: Promise<void> | undefined;
  #exited = false;

  /** Rejects if the process cannot be started. */
  static async start(options: ProcessOptions): Promise<AgentProcess> {
    const { folder: cwd, isolation } = options;
    const { command, args, env } = isolation?.wrap(options) ?? options;
    const tag = newProcessTag();
    return new AgentProcess(options, await spawnTagged(command, args, { cwd, env }, tag), tag);
  }

  private constructor(
    options: ProcessOptions,
    child: ChildProcessWithoutNullStreams,
    tag: ProcessTag,
  ) {
    this.#options = options;
    this.#child = child;
    this.#processTree = new ProcessTree({
      leader: child.pid ?? 0,
      runId: options.runId,
      tag,
      hasNamespace: options.isolation?.hasNamespace ?? false,
    });
    this.#stdin = new StdinQueue(child.stdin);
    child.stderr.on("data", (piece: Buffer) => {
      this.#stderr.push(piece);
      options.onStderr?.(piece);
    });
    // Senders learn of a broken pipe from the queue, and everyone from `closed`. (Bun 1.4 reports no
    // error while the process lives: what is written then is lost, and only a replay shows it.)
    child.stdin.on("error", () => this.#onPipeClosed());
    child.stdout.on("end", () => this.#onPipeClosed());
    this.closed = this.#waitForEnd(performance.now());
  }

  /** The exit status, or undefined while the process runs. */
  get exitStatus(): { readonly code: number | null; readonly signal: string | null } | undefined {
    if (!this.#exited) return undefined;
    return this.#toExitStatus(this.#child.exitCode, this.#child.signalCode);
  }

  #toExitStatus(code: number | null, signal: string | null) {
    return this.#options.isolation?.hasNamespace
      ? unwrapSandboxExit({ code, signal })
      : { code, signal };
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
      await this.#stdin.send(line);
    } catch (cause) {
      if (SignalboxError.isAny(cause)) throw cause;
      throw new SignalboxError("CONNECTION_CLOSED", { reason: await this.closed }, { cause });
    }
  };

  /**
   * Stops the agent and all its descendants: closes its input, then sends SIGTERM, then SIGKILL. Each
   * step waits for the agent to exit.
   */
  readonly close = (): Promise<void> => (this.#closing ??= this.#stop("its input was closed"));

  async #stop(reason: Exit["stopReason"]): Promise<void> {
    const graceMs = this.#options.graceMs ?? 5000;
    const waitForExit = () => Promise.race([this.closed, delayWhileAwake(graceMs)]);
    this.#stopReason = reason;
    this.#child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const waits = signal !== "SIGTERM" || this.#options.readsInput !== false;
      if ((waits && (await waitForExit())) || this.#exited) break;
      this.#stopReason = signal;
      this.#processTree.signal(signal);
    }
    await this.closed;
  }

  /** An agent that closes a pipe should be about to exit. If it does not, it is stopped, because nobody can talk to it. */
  #onPipeClosed(): void {
    setTimeout(() => {
      if (!this.#exited) this.#closing ??= this.#stop("it had closed its pipes");
    }, PIPE_GRACE_MS).unref();
  }

  async *#read(): AsyncGenerator<readonly Line[], void, undefined> {
    this.#readingStarted.resolve();
    const { lineLimit: limit } = this.#options;
    try {
      for await (const batch of readLines(
        batchChunks(this.#child.stdout),
        limit === undefined ? {} : { limit },
      )) {
        this.#recordLastLines(batch);
        yield batch;
      }
    } catch (failure) {
      // We close the pipe ourselves when a descendant keeps it open after the agent has exited.
      if ((failure as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw failure;
    }
  }

  #recordLastLines(batch: readonly Line[]): void {
    for (const line of batch.slice(-MAX_LAST_LINES)) {
      if (lineText(line).length <= MAX_LAST_LINE_LENGTH) this.#lastLines.push(line);
    }
    this.#lastLines.splice(0, this.#lastLines.length - MAX_LAST_LINES);
  }

  async #waitForEnd(startedAt: number): Promise<RunEnd> {
    const exit = await new Promise<Pick<Exit, "code" | "signal" | "stopReason" | "lifetimeMs">>(
      (resolve) => {
        this.#child.once("exit", (code, signal) => {
          this.#exited = true;
          const lifetimeMs = Math.round(performance.now() - startedAt);
          resolve({
            ...this.#toExitStatus(code, signal),
            stopReason: this.#stopReason,
            lifetimeMs,
          });
        });
      },
    );
    await this.#processTree.endRemaining();
    reapOrphans();
    this.#options.isolation?.release();
    await Promise.race([this.#drainPipes(), sleep(PIPE_GRACE_MS, undefined, { ref: false })]);
    const { launch, isolation, command: path } = this.#options;
    const why = isolation?.hasNamespace ? readSandboxStartFailure(this.stderr) : undefined;
    const failedToStart = why !== undefined && exit.code === 1 && this.#lastLines.length === 0;
    const end = failedToStart
      ? createRunEnd("not-started", { path, why }, this.stderr)
      : classifyExit({ ...exit, launch, lastLines: this.#lastLines, stderr: this.stderr });
    return { ...end, exit: { exitCode: exit.code, signal: exit.signal } };
  }

  /**
   * Waits until the pipes have been read to their end. If a process that outlived the agent keeps
   * them open, they are closed once no data has arrived for a while. A slow reader keeps them open.
   */
  async #drainPipes(): Promise<void> {
    await this.#readingStarted.promise;
    const { stdout, stderr } = this.#child;
    const done = () => stdout.readableEnded && stderr.readableEnded;
    for (let quietMs = 0; !done() && !stdout.destroyed; quietMs += PIPE_POLL_MS) {
      if (quietMs >= PIPE_GRACE_MS) {
        stdout.destroy();
        stderr.destroy();
      }
      await sleep(PIPE_POLL_MS, undefined, { ref: false });
      if (stdout.readableLength > 0) quietMs = 0;
    }
  }
}
