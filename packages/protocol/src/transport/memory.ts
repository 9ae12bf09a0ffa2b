import { deferred } from "../deferred.ts";
import { SignalboxError } from "../errors.ts";
import type { Line } from "../framing/line.ts";
import type { CloseReason } from "../close-reason.ts";
import type { Transport } from "./transport.ts";

/**
 * Creates the two ends of a connection inside this process: each end reads what the other sends.
 */
export function createTransportPair(): [Transport, Transport] {
  const toLeft = new LineQueue();
  const toRight = new LineQueue();
  const { promise: closed, resolve: settle } = deferred<CloseReason>();
  const end = (incoming: LineQueue, outgoing: LineQueue): Transport => {
    const close = () => {
      incoming.end();
      outgoing.end();
      settle({ kind: "closed", sentence: "The connection was closed." });
      return Promise.resolve();
    };
    const send = async (line: string) => {
      if (!outgoing.push(line)) {
        throw new SignalboxError("CONNECTION_CLOSED", { reason: await closed });
      }
      await outgoing.waitForRoom();
    };
    return { incoming, send, closed, close, [Symbol.asyncDispose]: close };
  };
  return [end(toLeft, toRight), end(toRight, toLeft)];
}

const MAX_WAITING_LINES = 1000; // How many lines may wait unread before a sender has to wait.

class LineQueue implements AsyncIterable<readonly Line[]> {
  #waiting: Line[] = [];
  #ended = false;
  #wakeReader: (() => void) | undefined;
  #wakeSenders: (() => void)[] = [];

  push(line: Line): boolean {
    if (this.#ended) return false;
    this.#waiting.push(line);
    this.#wakeReader?.();
    return true;
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader?.();
    this.#releaseSenders();
  }

  waitForRoom(): Promise<void> {
    if (this.#ended || this.#waiting.length < MAX_WAITING_LINES) return Promise.resolve();
    return new Promise((resolve) => this.#wakeSenders.push(resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Line[], void, undefined> {
    for (;;) {
      const batch = this.#waiting;
      if (batch.length > 0) {
        this.#waiting = [];
        this.#releaseSenders();
        yield batch;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    }
  }

  #releaseSenders(): void {
    for (const wake of this.#wakeSenders.splice(0)) wake();
  }
}
