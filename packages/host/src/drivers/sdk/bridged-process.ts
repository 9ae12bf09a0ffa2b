import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import { lineText } from "@signalbox/protocol";
import { escapeLineSeparators } from "@signalbox/protocol/wire";
import type { RunEnd } from "../../launch/run-end.ts";
import type { AgentProcess } from "../stdio/agent-process.ts";

/**
 * One of our processes as the SDK wants to see it. So a run of the SDK's is watched, stopped with all
 * its children and its exit understood by the same code as any other.
 */
export class BridgedProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  killed = false;
  exitCode: number | null = null;
  readonly #started: Promise<AgentProcess>;

  constructor(started: Promise<AgentProcess>) {
    super();
    this.#started = started;
    this.on("error", () => {}); // whoever started it hears of it through `started`
    this.stdin = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        void this.#write(String(chunk), done);
      },
      final: (done) => {
        this.#close();
        done();
      },
    });
    this.stdin.on("error", () => {}); // the process is gone, and its exit says why
    this.stdout = Readable.from(output(started));
    this.stdout.on("error", () => {});
    started.then(
      (process) => void process.closed.then((end) => this.#exit(end)),
      (failure: Error) => this.emit("error", failure),
    );
  }

  async #write(text: string, done: (failure?: Error | null) => void): Promise<void> {
    let failure: Error | null = null;
    try {
      await (await this.#started).send(text.endsWith("\n") ? text.slice(0, -1) : text);
    } catch (cause) {
      failure = cause as Error;
    }
    done(failure);
  }

  kill(): boolean {
    this.killed = true;
    this.#close();
    return true;
  }

  /** By our ladder, whatever signal the SDK has in mind. */
  #close(): void {
    this.#started.then(
      (process) => process.close(),
      () => {},
    );
  }

  #exit(end: RunEnd): void {
    const [code, signal] = toExit(end);
    this.exitCode = code;
    this.emit("exit", code, signal);
  }
}

function toExit(end: RunEnd): [number | null, string | null] {
  if (end.kind === "crashed") return [end.code, end.signal];
  return [end.kind === "clean" || end.kind === "stopped" ? 0 : 1, null];
}

async function* output(started: Promise<AgentProcess>): AsyncGenerator<string> {
  for await (const batch of (await started).incoming) {
    yield escapeLineSeparators(`${batch.map(lineText).join("\n")}\n`);
  }
}
