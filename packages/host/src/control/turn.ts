import { type Decoded, type Message, SignalboxError } from "@signalbox/protocol";
import type { RunEnd } from "../launch/run-end.ts";
import type { Prompt } from "./prompt.ts";
import type { LineFeed } from "./line-feed.ts";
import type { TurnTracker } from "./turn-tracker.ts";

const SETTLE_MS = 1000;

export interface HostTurnOptions {
  /**
   * Interrupts the turn. Reading it then fails with the signal's reason, once the agent has
   * stopped.
   */
  readonly signal?: AbortSignal;
  /**
   * How long the agent must be idle, 1 s by default: it starts another turn by itself when its
   * background work reports, or when it reads a prompt that was sent meanwhile.
   */
  readonly settleMs?: number;
}

/** How a turn ended: with the agent's last result, or because the run is over. */
export type TurnEnd =
  | { readonly kind: "finished"; readonly result: Message<"result"> | undefined }
  | { readonly kind: "run-ended"; readonly end: RunEnd };

/** The parts of the host that a turn uses. */
interface TurnServices {
  readonly feed: LineFeed;
  readonly tracker: TurnTracker;
  readonly closed: Promise<RunEnd>;
  send(prompt: Prompt): Promise<unknown>;
  /** Interrupts the agent and waits a while for the turn's end. */
  interrupt(): Promise<void>;
}

/**
 * One prompt and everything that the agent does until it is idle: the prompt's turn, turns that it
 * starts when background work reports, and turns of prompts that were sent meanwhile.
 */
export class Turn implements AsyncIterable<Decoded> {
  readonly #services: TurnServices;
  readonly #options: HostTurnOptions;
  readonly #sent: Promise<unknown>;
  #hasReader = false;

  constructor(prompt: Prompt, services: TurnServices, options: HostTurnOptions) {
    this.#services = services;
    this.#options = options;
    this.#sent = options.signal?.aborted ? Promise.resolve() : services.send(prompt);
    this.#sent.catch(() => {}); // the reader of the turn gets the error
  }

  /**
   * Yields every line of the agent until the end, which is the generator's return value. Can be
   * read once.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Decoded, TurnEnd, undefined> {
    if (this.#hasReader) {
      const why = "its lines have been read already, or are being read";
      throw new SignalboxError("BAD_INPUT", { what: "The turn cannot be read", why });
    }
    this.#hasReader = true;
    const { feed, closed, tracker } = this.#services;
    const { signal } = this.#options;
    signal?.throwIfAborted();
    await this.#sent;
    using abort = createAbortPromise(signal);
    for (;;) {
      const { changed } = feed;
      const batch = feed.take();
      if (batch) yield* this.#deliverBatch(batch);
      else if (signal?.aborted) {
        await this.#services.interrupt();
        throw signal.reason;
      } else if (feed.hasEnded) return { kind: "run-ended", end: await closed };
      else if (!tracker.isIdle) await Promise.race([changed, abort.promise]);
      else if (await this.#staysIdle(changed, abort.promise)) {
        return { kind: "finished", result: tracker.lastResult };
      }
    }
  }

  /** Lines that are not read because the reader has stopped stay in the host's feed. */
  *#deliverBatch(batch: readonly Decoded[]): Generator<Decoded, void, undefined> {
    let read = 0;
    try {
      for (const line of batch) {
        read += 1;
        yield line;
      }
    } finally {
      this.#services.feed.putBack(batch.slice(read));
    }
  }

  async #staysIdle(changed: Promise<void>, aborted: Promise<void>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), this.#options.settleMs ?? SETTLE_MS);
    });
    const interrupted = Promise.race([changed, aborted]).then(() => false);
    try {
      return await Promise.race([settled, interrupted]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads the turn to its end and ignores its lines. */
  async readToEnd(): Promise<TurnEnd> {
    const lines = this[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await lines.next();
      if (done) return value;
    }
  }
}

function createAbortPromise(
  signal: AbortSignal | undefined,
): Disposable & { promise: Promise<void> } {
  let stop = () => {};
  const promise = new Promise<void>((resolve) => {
    const onAbort = () => resolve();
    signal?.addEventListener("abort", onAbort, { once: true });
    stop = () => signal?.removeEventListener("abort", onAbort);
  });
  return { promise, [Symbol.dispose]: () => stop() };
}
