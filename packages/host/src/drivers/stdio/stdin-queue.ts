import type { Writable } from "node:stream";
import { SignalboxError } from "@signalbox/protocol";

/**
 * Not what messages may pile up to: the hub has at most 8 MiB of them under way, and each waits for the one
 * before it. It ends the answers to an agent that asks and never reads.
 */
const OUTBOX_LIMIT = 64 * 1024 * 1024;
/** Longer than any answer. A message of this size does not count, or decisions behind it would be refused. */
const LONG = 8 * 1024 * 1024;
const SLICE = 256 * 1024;

/**
 * Writes whole lines in order, never more than the pipe takes. A sender waits for its line to be
 * taken; when the other side has stopped reading for good, what waits here stays under a limit.
 */
export class StdinQueue {
  readonly #stream: Writable;
  readonly #limit: number;
  #waitingBytes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(stream: Writable, limit: number = OUTBOX_LIMIT) {
    this.#stream = stream;
    this.#limit = limit;
  }

  /** Resolves when the line has been taken; rejects when the stream is closed or the box is full. */
  send(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line);
    const size = bytes > LONG ? 0 : bytes;
    if (size > 0 && this.#waitingBytes + size > this.#limit) {
      return Promise.reject(new SignalboxError("OUTBOX_FULL", { limit: this.#limit }));
    }
    this.#waitingBytes += size;
    const write = async () => {
      try {
        await this.#write(Buffer.from(`${line}\n`));
      } finally {
        this.#waitingBytes -= size;
      }
    };
    const sent = this.#last.then(write);
    this.#last = sent.catch(() => {}); // the sender hears of it; the next line has its own fate
    return sent;
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; from += SLICE) {
      if (this.#stream.destroyed || this.#stream.writableEnded)
        throw new Error("the pipe is closed");
      if (!this.#stream.write(bytes.subarray(from, from + SLICE))) await this.#drained();
    }
  }

  #drained(): Promise<void> {
    const stream = this.#stream;
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void) => () => {
        stream.off("drain", drained).off("close", closed).off("error", closed);
        settle();
      };
      const drained = stop(resolve);
      const closed = stop(() => reject(new Error("the pipe was closed")));
      stream.once("drain", drained).once("close", closed).once("error", closed);
    });
  }
}
