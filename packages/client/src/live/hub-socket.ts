import { errorMessage } from "@signalbox/protocol/text";
import type { ClientFrame, HubFrame } from "@signalbox/api";
import {
  CLOSED_UNAUTHORIZED,
  STREAM_PATH,
  STREAM_PROTOCOL,
  STREAM_VERSION,
  TICKET_PROTOCOL,
} from "../contract.ts";
import { HubError } from "../http/hub-error.ts";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import type { ConnectionTiming } from "./state.ts";

/** The part of a WebSocket that is used here, which browsers, Bun and Node provide. */
type Socket = Pick<WebSocket, "addEventListener" | "send" | "close">;
export type WebSocketConstructor = new (url: string, protocols: string[]) => Socket;

interface HubSocketEvents {
  onDialing(): void;
  /** `length`: the length of the frame's text. */
  onFrame(frame: HubFrame, length: number): void;
  /** The hub has left several pings in a row unanswered, on a connection that is still open. */
  onUnresponsive(): void;
  onLost(why: string, retryInMs: number): void;
  /** No further attempt is made. */
  onRefused(why: string): void;
}

export interface HubSocketOptions {
  readonly url: () => string;
  readonly WebSocket: WebSocketConstructor;
  readonly ticket: () => Promise<string>;
  /** Whether the proof in the welcome, for the ticket that opened the stream, is the hub's. */
  readonly isHub: (ticket: string, proof: string | undefined) => Promise<boolean>;
  readonly timing: ConnectionTiming;
  readonly random: () => number;
  /** Whether a person sees the program: only then is the hub asked whether it still responds. */
  readonly isVisible: () => boolean;
}

/** After the machine slept or its clock was set, the socket may be dead without notice. */
const CLOCK_JUMP_MS = 10_000;
/** So many pings in a row may stay unanswered before the hub counts as unresponsive. */
const MAX_MISSED_PINGS = 2;

/**
 * Keeps one connection to the hub open, and opens a new one when it is lost. Only events of the
 * newest connection count: each has a number, and events of older ones are ignored.
 */
export class HubSocket {
  readonly #options: HubSocketOptions;
  readonly #events: HubSocketEvents;
  #generation = 0;
  #attempts = 0;
  #socket: Socket | undefined;
  #welcomed = false;
  /** The ticket that opened the stream. */
  #ticket = "";
  /** Frames since the welcome, while its proof is being checked. */
  #unverifiedFrames: { frame: HubFrame; length: number }[] | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #checkTimer: ReturnType<typeof setInterval> | undefined;
  #lastFrameAt = 0;
  #answersPings = false;
  /** The pings since the last frame. Every frame counts as an answer. */
  #unansweredPings = 0;
  /** The reason that the hub sent before it closes the connection. */
  #closeReason: string | undefined;
  #checkedAt = { steady: 0, wall: 0 };

  constructor(options: HubSocketOptions, events: HubSocketEvents) {
    this.#options = options;
    this.#events = events;
  }

  /**
   * Connects now, at the start or instead of waiting for the next attempt. An open connection stays as it
   * is.
   */
  dial(): void {
    if (this.#welcomed) return;
    this.#drop();
    void this.#dial(this.#generation);
  }

  close(): void {
    this.#drop();
  }

  /** Sends a frame. Returns whether there was an open connection. The frame may still be lost. */
  send(frame: ClientFrame): boolean {
    if (!this.#welcomed) return false;
    this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  async #dial(turn: number): Promise<void> {
    const { ticket, WebSocket, url, timing } = this.#options;
    this.#events.onDialing();
    this.#onActivity();
    this.#checkedAt = { steady: performance.now(), wall: Date.now() };
    this.#checkTimer = setInterval(() => this.#checkLiveness(), timing.checkMs);
    try {
      const entry = await ticket();
      if (turn !== this.#generation) return;
      this.#ticket = entry;
      const address = new URL(STREAM_PATH, url());
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      const protocols = [STREAM_PROTOCOL, `${TICKET_PROTOCOL}${entry}`];
      this.#listen(new WebSocket(address.href, protocols), turn);
    } catch (failure) {
      if (turn !== this.#generation) return;
      const why = errorMessage(failure);
      const unauthorized = HubError.is(failure) && [401, 403].includes(failure.status);
      if (unauthorized) this.#end(() => this.#events.onRefused(why));
      else this.#onConnectionLost(why);
    }
  }

  #listen(socket: Socket, turn: number): void {
    this.#socket = socket;
    const mine = () => turn === this.#generation;
    socket.addEventListener("open", () => {
      if (!mine()) return;
      socket.send(JSON.stringify({ type: "hello", version: STREAM_VERSION }));
    });
    socket.addEventListener("message", ({ data }) => {
      if (mine() && typeof data === "string") this.#receive(data, turn);
    });
    socket.addEventListener("error", () => {}); // `close` follows with the same information.
    socket.addEventListener("close", ({ code, reason }) => {
      if (!mine()) return;
      const why = this.#closeReason ?? (reason || "The connection to the hub was lost.");
      // Before the proof this may come from any server: the next ticket shows whether the hub means
      // it.
      const isHub = this.#welcomed;
      if (isHub && code === CLOSED_UNAUTHORIZED) this.#end(() => this.#events.onRefused(why));
      else this.#onConnectionLost(why);
    });
  }

  #receive(text: string, turn: number): void {
    this.#onActivity();
    const frame = parseHubFrame(text);
    if (!frame) return;
    const { length } = text;
    if (this.#unverifiedFrames) this.#unverifiedFrames.push({ frame, length });
    else if (this.#welcomed) this.#deliver(frame, length);
    else if (frame.type === "welcome") void this.#verifyHub(frame, length, turn);
    else if (frame.type === "refused") this.#closeReason = frame.detail;
  }

  /** Checks the hub's proof. Frames of a stream only count after it. */
  async #verifyHub(
    welcome: Extract<HubFrame, { type: "welcome" }>,
    length: number,
    turn: number,
  ): Promise<void> {
    const early: { frame: HubFrame; length: number }[] = [];
    this.#unverifiedFrames = early;
    const isHub = await this.#options.isHub(this.#ticket, welcome.proof).catch(() => false);
    if (turn !== this.#generation) return;
    if (!isHub)
      return this.#onConnectionLost(
        "What answered is not the hub that this device was paired with.",
      );
    this.#unverifiedFrames = undefined;
    this.#welcomed = true;
    this.#answersPings = welcome.answersPings === true;
    this.#attempts = 0;
    this.#deliver(welcome, length);
    for (const each of early) this.#deliver(each.frame, each.length);
  }

  #deliver(frame: HubFrame, length: number): void {
    this.#closeReason = frame.type === "refused" ? frame.detail : undefined;
    this.#events.onFrame(frame, length);
  }

  #onActivity(): void {
    this.#lastFrameAt = performance.now();
    this.#unansweredPings = 0;
  }

  #checkLiveness(): void {
    const now = { steady: performance.now(), wall: Date.now() };
    const hasClockJumped =
      now.wall - this.#checkedAt.wall - (now.steady - this.#checkedAt.steady) > CLOCK_JUMP_MS;
    this.#checkedAt = now;
    const silence = now.steady - this.#lastFrameAt;
    const { silenceMs, dialMs } = this.#options.timing;
    if (hasClockJumped || silence > (this.#welcomed ? silenceMs : dialMs)) {
      this.#onConnectionLost(
        hasClockJumped ? "This machine was asleep." : "The hub has gone silent.",
        hasClockJumped,
      );
    } else if (this.#welcomed && this.#answersPings) this.#ping();
  }

  /**
   * Asks the hub whether it still responds. A hub that hangs leaves its sockets open, so only an answer that
   * does not come shows it. Checks are counted, not seconds: after this program itself hung, the answers that
   * wait are read before the next check.
   */
  #ping(): void {
    if (!this.#options.isVisible()) {
      this.#unansweredPings = 0;
      return;
    }
    if (this.#unansweredPings === MAX_MISSED_PINGS) this.#events.onUnresponsive();
    this.#unansweredPings++;
    this.send({ type: "ping" });
  }

  #onConnectionLost(why: string, atOnce = false): void {
    const { firstRetryMs: firstMs, maxRetryMs: maxMs } = this.#options.timing;
    const delay = backoffDelayMs(this.#attempts++, { firstMs, maxMs }, this.#options.random());
    const wait = atOnce ? 0 : delay;
    this.#end(() => {
      const turn = this.#generation;
      this.#retry = setTimeout(() => void this.#dial(turn), wait);
      this.#events.onLost(why, wait);
    });
  }

  #end(then: () => void): void {
    this.#drop();
    then();
  }

  #drop(): void {
    this.#generation++;
    this.#welcomed = false;
    this.#closeReason = undefined;
    this.#unverifiedFrames = undefined;
    clearTimeout(this.#retry);
    clearInterval(this.#checkTimer);
    this.#socket?.close();
    this.#socket = undefined;
  }
}

function parseHubFrame(text: string): HubFrame | undefined {
  try {
    const frame = JSON.parse(text) as Partial<HubFrame> | string | null;
    if (typeof frame === "string") return { type: "more", text: frame };
    return typeof frame?.type === "string" ? (frame as HubFrame) : undefined;
  } catch {
    return undefined;
  }
}
