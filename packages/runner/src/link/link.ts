import { deferred } from "@signalbox/protocol";
import { onWake } from "@signalbox/host/system";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import { HubConnection, type HubConnectionOptions } from "./hub-connection.ts";
import type { Order, FrameToHubOfType } from "@signalbox/api/link";
import type { DeviceSigningKey } from "./keys.ts";
import type { LineBuffer } from "./line-buffer.ts";
import type { VerifiedHub } from "./locate-hub.ts";

const FIRST_RETRY_MS = 200;
const OWN_CAP_MS = 5000;
const FAR_CAP_MS = 30_000;
/** While the hub is there, what comes within this time travels together; while it is away, longer. */
const JOIN_MS = 10;
const JOIN_AWAY_MS = 100;
/** Text that is being written is shown every 33 ms at most: until then its words travel together. */
const JOIN_TEXT_MS = 25;
/** What was sent this long ago has arrived, or its connection has been found dead. */
const ARRIVED_MS = 60_000;
/** When the socket is full it is looked at again after this. */
const FULL_MS = 20;

export interface LinkOptions {
  /** Finds the hub and lets it prove itself, before each attempt. */
  readonly hub: (signal: AbortSignal) => Promise<VerifiedHub>;
  readonly key: DeviceSigningKey;
  /** The hub that started us is on this machine, and comes back soon. */
  readonly isLocal: boolean;
  readonly buffer: LineBuffer;
  readonly hello: () => Pick<
    FrameToHubOfType<"hello">,
    "runner" | "machine" | "home" | "process" | "runs"
  >;
  readonly onOrder: (id: string, order: Order) => void;
  readonly onApprovers?: HubConnectionOptions["onApprovers"];
  /** Told why there is no connection, in a sentence. */
  readonly onTrouble?: (sentence: string) => void;
  readonly tickMs?: number;
}

interface Result {
  readonly done: FrameToHubOfType<"done">;
  sentAt: number | undefined;
}

/** The runner's end of the link: dials, and dials again, and sees to it that lines get through. */
export class Link {
  readonly #options: LinkOptions;
  readonly #over = new AbortController();
  /** Results that were not sent yet, or may have been lost with their connection, by order. */
  readonly #results = new Map<string, Result>();
  #generation = 0;
  #connection: HubConnection | undefined;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #flushesAt = 0;
  #flushedAt = 0;
  #dialling: Promise<void> | undefined;
  /** Ends the pause before dialling again. */
  #endPause: (() => void) | undefined;
  readonly #watch = onWake(() => this.wake());

  constructor(options: LinkOptions) {
    this.#options = options;
    options.buffer.onLines = (soon) => this.#flushSoon(this.#getJoinMs(soon));
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  start(): void {
    this.#dialling ??= this.#dial();
  }

  /** Says what became of an order; said again on the next connection if this one may have lost it. */
  report(done: FrameToHubOfType<"done">): void {
    this.#removeArrivedResults();
    const result: Result = { done, sentAt: undefined };
    this.#results.set(done.id, result);
    if (!this.#connection) return;
    this.#flush(); // first the lines that were written down meanwhile
    this.#sendResult(this.#connection, result);
  }

  #sendResult(connection: HubConnection, result: Result): void {
    result.sentAt ??= performance.now();
    connection.send(result.done);
  }

  #removeArrivedResults(): void {
    const now = performance.now();
    for (const [id, { sentAt }] of this.#results) {
      if (sentAt !== undefined && now - sentAt > ARRIVED_MS) this.#results.delete(id);
    }
  }

  /** The machine has slept: whatever was, may not be any more. */
  wake(): void {
    this.#connection?.probe();
    this.#endPause?.();
  }

  async stop(): Promise<void> {
    this.#watch.stop();
    this.#over.abort();
    this.#endPause?.();
    this.#connection?.close();
    clearTimeout(this.#flushing);
    await this.#dialling;
  }

  async #dial(): Promise<void> {
    const { isLocal: own, onTrouble, buffer: ledger } = this.#options;
    const { signal } = this.#over;
    const cap = own ? OWN_CAP_MS : FAR_CAP_MS;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const why = await this.#attempt(() => (attempt = 0));
      ledger.writeToDisk();
      onTrouble?.(why);
      if (!signal.aborted)
        await this.#pause(backoffDelayMs(attempt, { firstMs: FIRST_RETRY_MS, maxMs: cap }));
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
  }

  /** Gives back why there is no connection, or none any more. */
  async #attempt(welcomed: () => void): Promise<string> {
    const { hub } = this.#options;
    const { signal } = this.#over;
    try {
      const proven = await hub(signal);
      return signal.aborted ? "The runner ends." : await this.#connect(proven, welcomed);
    } catch (failure) {
      return failure instanceof Error ? failure.message : String(failure);
    }
  }

  /** One connection's life. Gives back why it ended. */
  async #connect(hub: VerifiedHub, welcomed: () => void): Promise<string> {
    const { key, buffer: ledger, hello, onOrder, onApprovers = () => {}, tickMs } = this.#options;
    const ended = deferred<string>();
    const connection = new HubConnection({
      hub,
      key,
      hello: { ...hello(), generation: ++this.#generation },
      ...(tickMs !== undefined && { tickMs }),
      onWelcome: (stored) => {
        welcomed();
        this.#connection = connection;
        ledger.resendAfter(stored);
        this.#removeArrivedResults();
        for (const result of this.#results.values()) this.#sendResult(connection, result);
        this.#flush();
      },
      onAck: (session, seq) => {
        if (ledger.acknowledge(session, seq)) this.#flushSoon();
      },
      onPiecesTaken: (session, seq, pieces) => {
        if (ledger.acknowledgePieces(session, seq, pieces)) this.#flushSoon();
      },
      onOrder,
      onApprovers,
      onEnd: (why) => {
        this.#connection = undefined;
        ended.resolve(why);
      },
    });
    const stop = () => connection.close();
    this.#over.signal.addEventListener("abort", stop, { once: true });
    try {
      return await ended.promise;
    } finally {
      this.#over.signal.removeEventListener("abort", stop);
    }
  }

  #getJoinMs(soon: boolean): number {
    if (!this.#connection) return JOIN_AWAY_MS;
    return soon ? JOIN_MS : JOIN_TEXT_MS;
  }

  /** At once when nothing was sent just now, else a little later: so lines join, and none waits long. */
  #flushSoon(join = this.#getJoinMs(true)): void {
    const at = this.#flushedAt + join;
    if (this.#flushing !== undefined && at >= this.#flushesAt) return;
    clearTimeout(this.#flushing);
    this.#flushesAt = at;
    this.#flushing = setTimeout(() => this.#flush(), Math.max(0, at - performance.now()));
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    this.#flushedAt = performance.now();
    const { buffer: ledger } = this.#options;
    if (!this.#connection) ledger.writeToDisk();
    else if (!this.#connection.sendPending(ledger)) this.#flushSoon(FULL_MS);
  }
}
