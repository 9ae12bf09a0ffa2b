import { errorMessage } from "@signalbox/protocol/text";
import { deferred } from "@signalbox/protocol/wire";
import { onWake } from "@signalbox/host/system";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import { HubConnection, type HubConnectionOptions } from "./hub-connection.ts";
import type { Order, FrameToHubOfType } from "@signalbox/api/link";
import type { FolderFrameToRunner } from "./folder-frames.ts";
import type { TerminalFrameToHub, TerminalFrameToRunner } from "./terminal-frames.ts";
import type { DeviceSigningKey } from "./keys.ts";
import type { LineBuffer } from "./line-buffer.ts";
import type { VerifiedHub } from "./locate-hub.ts";

const FIRST_RETRY_MS = 200;
const LOCAL_MAX_DELAY_MS = 5000;
const REMOTE_MAX_DELAY_MS = 30_000;
/** Lines within this time are sent together while the hub is connected; `JOIN_AWAY_MS` applies otherwise. */
const BATCH_MS = 10;
const OFFLINE_BATCH_MS = 100;
/** Streamed text is shown every 33 ms at most, so its lines are sent together. */
const TEXT_BATCH_MS = 25;
/** After this time a sent result has arrived, or its connection has been closed as dead. */
const RESULT_ARRIVAL_MS = 60_000;
/** The delay before a full socket is checked again. */
const FULL_SOCKET_RETRY_MS = 20;

export interface HubLinkOptions {
  /** Finds the hub and verifies its identity before each attempt. */
  readonly findHub: (signal: AbortSignal) => Promise<VerifiedHub>;
  readonly key: DeviceSigningKey;
  /** The hub that started this runner is on this machine, so it will be back soon. */
  readonly isLocal: boolean;
  readonly buffer: LineBuffer;
  readonly hello: () => Pick<
    FrameToHubOfType<"hello">,
    "runner" | "machine" | "home" | "process" | "runs"
  >;
  readonly onOrder: (id: string, order: Order) => void;
  readonly onApprovers?: HubConnectionOptions["onApprovers"];
  readonly onTerminalFrame?: (frame: TerminalFrameToRunner) => void;
  readonly onFolderFrame?: (frame: FolderFrameToRunner) => void;
  /** The hub has welcomed this runner: it knows nothing of what was streamed to it before. */
  readonly onConnected?: () => void;
  readonly onDisconnected?: () => void;
  /** Called with a sentence that says why there is no connection. */
  readonly onTrouble?: (sentence: string) => void;
  readonly tickMs?: number;
}

interface Result {
  readonly done: FrameToHubOfType<"done">;
  sentAt: number | undefined;
}

/** The runner's end of the link. It reconnects as often as needed and makes sure that all lines are delivered. */
export class HubLink {
  readonly #options: HubLinkOptions;
  readonly #stopped = new AbortController();
  /** The results, by order, that were not sent yet or may have been lost with their connection. */
  readonly #results = new Map<string, Result>();
  #generation = 0;
  #connection: HubConnection | undefined;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #flushesAt = 0;
  #flushedAt = 0;
  #dialing: Promise<void> | undefined;
  /** Ends the pause before the next attempt. */
  #endPause: (() => void) | undefined;
  readonly #wakeListener = onWake(() => this.wake());

  constructor(options: HubLinkOptions) {
    this.#options = options;
    options.buffer.onLines = (soon) => this.#flushSoon(this.#getBatchMs(soon));
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  start(): void {
    this.#dialing ??= this.#dial();
  }

  /** Reports the result of an order, and again on the next connection if this one may have lost it. */
  report(done: FrameToHubOfType<"done">): void {
    this.#removeArrivedResults();
    const result: Result = { done, sentAt: undefined };
    this.#results.set(done.id, result);
    if (!this.#connection) return;
    this.#flush(); // lines that were added before the result go first
    this.#sendResult(this.#connection, result);
  }

  /** Sends a frame if the hub is connected, and drops it otherwise. */
  send(
    frame: TerminalFrameToHub | FrameToHubOfType<"load" | "transcript" | "done" | "folder-changed">,
    lines?: readonly string[],
  ): void {
    this.#connection?.send(frame, lines);
  }

  #sendResult(connection: HubConnection, result: Result): void {
    result.sentAt ??= performance.now();
    connection.send(result.done);
  }

  #removeArrivedResults(): void {
    const now = performance.now();
    for (const [id, { sentAt }] of this.#results) {
      if (sentAt !== undefined && now - sentAt > RESULT_ARRIVAL_MS) this.#results.delete(id);
    }
  }

  /** Checks the connection at once, because the machine has been asleep. */
  wake(): void {
    this.#connection?.probe();
    this.#endPause?.();
  }

  async stop(): Promise<void> {
    this.#wakeListener.stop();
    this.#stopped.abort();
    this.#endPause?.();
    this.#connection?.close();
    clearTimeout(this.#flushing);
    await this.#dialing;
  }

  async #dial(): Promise<void> {
    const { isLocal, onTrouble, buffer } = this.#options;
    const { signal } = this.#stopped;
    const maxMs = isLocal ? LOCAL_MAX_DELAY_MS : REMOTE_MAX_DELAY_MS;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const why = await this.#attempt(() => (attempt = 0));
      buffer.writeToDisk();
      onTrouble?.(why);
      if (!signal.aborted)
        await this.#pause(backoffDelayMs(attempt, { firstMs: FIRST_RETRY_MS, maxMs }));
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

  /** Runs one attempt. Returns why there is no connection, or why it ended. */
  async #attempt(onWelcome: () => void): Promise<string> {
    const { findHub } = this.#options;
    const { signal } = this.#stopped;
    try {
      const verified = await findHub(signal);
      return signal.aborted ? "The runner is stopping." : await this.#connect(verified, onWelcome);
    } catch (failure) {
      return errorMessage(failure);
    }
  }

  /** Runs one connection. Returns why it ended. */
  async #connect(hub: VerifiedHub, onWelcome: () => void): Promise<string> {
    const { key, buffer, hello, onOrder, onApprovers = () => {}, tickMs } = this.#options;
    const ended = deferred<string>();
    const connection = new HubConnection({
      hub,
      key,
      hello: { ...hello(), generation: ++this.#generation },
      ...(tickMs !== undefined && { tickMs }),
      onWelcome: (stored) => {
        onWelcome();
        this.#connection = connection;
        buffer.resendAfter(stored);
        this.#removeArrivedResults();
        for (const result of this.#results.values()) this.#sendResult(connection, result);
        this.#flush();
        this.#options.onConnected?.();
      },
      onAck: (session, seq) => {
        if (buffer.acknowledge(session, seq)) this.#flushSoon();
      },
      onPiecesTaken: (session, seq, pieces) => {
        if (buffer.acknowledgePieces(session, seq, pieces)) this.#flushSoon();
      },
      onOrder,
      onApprovers,
      onTerminalFrame: (frame) => this.#options.onTerminalFrame?.(frame),
      onFolderFrame: (frame) => this.#options.onFolderFrame?.(frame),
      onEnd: (why) => {
        this.#connection = undefined;
        this.#options.onDisconnected?.();
        ended.resolve(why);
      },
    });
    const stop = () => connection.close();
    this.#stopped.signal.addEventListener("abort", stop, { once: true });
    try {
      return await ended.promise;
    } finally {
      this.#stopped.signal.removeEventListener("abort", stop);
    }
  }

  #getBatchMs(soon: boolean): number {
    if (!this.#connection) return OFFLINE_BATCH_MS;
    return soon ? BATCH_MS : TEXT_BATCH_MS;
  }

  /** Flushes at once if nothing was sent recently, otherwise after a short delay that lets lines be sent together. */
  #flushSoon(delayMs = this.#getBatchMs(true)): void {
    const at = this.#flushedAt + delayMs;
    if (this.#flushing !== undefined && at >= this.#flushesAt) return;
    clearTimeout(this.#flushing);
    this.#flushesAt = at;
    this.#flushing = setTimeout(() => this.#flush(), Math.max(0, at - performance.now()));
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    this.#flushedAt = performance.now();
    const { buffer } = this.#options;
    if (!this.#connection) buffer.writeToDisk();
    else if (!this.#connection.sendPending(buffer)) this.#flushSoon(FULL_SOCKET_RETRY_MS);
  }
}
