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

interface LinkEvents {
  dialing(): void;
  /** `length`: the length of the frame's text. */
  frame(frame: HubFrame, length: number): void;
  /** The hub has left several pings in a row unanswered, on a link that is still open. */
  unresponsive(): void;
  lost(why: string, retryInMs: number): void;
  /** The link does not retry. */
  refused(why: string): void;
}

export interface LinkOptions {
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
const JUMP_MS = 10_000;
/** So many pings in a row may stay unanswered before the hub counts as unresponsive. */
const MISSED_PINGS = 2;

/**
 * Keeps one connection to the hub open, and opens a new one when it is lost. Only events of the
 * newest connection count: each has a number, and events of older ones are ignored.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  #turn = 0;
  #tries = 0;
  #socket: Socket | undefined;
  #welcomed = false;
  /** The ticket that opened the stream. */
  #ticket = "";
  /** Frames since the welcome, while its proof is being checked. */
  #early: { frame: HubFrame; length: number }[] | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #answersPings = false;
  /** The pings since the last frame. Every frame counts as an answer. */
  #unansweredPings = 0;
  /** The reason that the hub sent before it closes the connection. */
  #closeReason: string | undefined;
  #lookedAt = { steady: 0, wall: 0 };

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
  }

  /**
   * Connects now, at the start or instead of waiting for the next attempt. An open link stays as it
   * is.
   */
  dial(): void {
    if (this.#welcomed) return;
    this.#drop();
    void this.#dial(this.#turn);
  }

  close(): void {
    this.#drop();
  }

  /** Sends a frame. Returns whether there was an open link. The frame may still be lost. */
  send(frame: ClientFrame): boolean {
    if (!this.#welcomed) return false;
    this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  async #dial(turn: number): Promise<void> {
    const { ticket, WebSocket, url, timing } = this.#options;
    this.#events.dialing();
    this.#onActivity();
    this.#lookedAt = { steady: performance.now(), wall: Date.now() };
    this.#look = setInterval(() => this.#lookAfter(), timing.lookMs);
    try {
      const entry = await ticket();
      if (turn !== this.#turn) return;
      this.#ticket = entry;
      const address = new URL(STREAM_PATH, url());
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      const protocols = [STREAM_PROTOCOL, `${TICKET_PROTOCOL}${entry}`];
      this.#listen(new WebSocket(address.href, protocols), turn);
    } catch (failure) {
      if (turn !== this.#turn) return;
      const why = errorMessage(failure);
      const unauthorized = HubError.is(failure) && [401, 403].includes(failure.status);
      if (unauthorized) this.#end(() => this.#events.refused(why));
      else this.#onConnectionLost(why);
    }
  }

  #listen(socket: Socket, turn: number): void {
    this.#socket = socket;
    const mine = () => turn === this.#turn;
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
      if (isHub && code === CLOSED_UNAUTHORIZED) this.#end(() => this.#events.refused(why));
      else this.#onConnectionLost(why);
    });
  }

  #receive(text: string, turn: number): void {
    this.#onActivity();
    const frame = read(text);
    if (!frame) return;
    const { length } = text;
    if (this.#early) this.#early.push({ frame, length });
    else if (this.#welcomed) this.#take(frame, length);
    else if (frame.type === "welcome") void this.#check(frame, length, turn);
    else if (frame.type === "refused") this.#closeReason = frame.detail;
  }

  /** Checks the hub's proof. Frames of a stream only count after it. */
  async #check(
    welcome: Extract<HubFrame, { type: "welcome" }>,
    length: number,
    turn: number,
  ): Promise<void> {
    const early: { frame: HubFrame; length: number }[] = [];
    this.#early = early;
    const isHub = await this.#options.isHub(this.#ticket, welcome.proof).catch(() => false);
    if (turn !== this.#turn) return;
    if (!isHub)
      return this.#onConnectionLost(
        "What answered is not the hub that this device was paired with.",
      );
    this.#early = undefined;
    this.#welcomed = true;
    this.#answersPings = welcome.answersPings === true;
    this.#tries = 0;
    this.#take(welcome, length);
    for (const each of early) this.#take(each.frame, each.length);
  }

  #take(frame: HubFrame, length: number): void {
    this.#closeReason = frame.type === "refused" ? frame.detail : undefined;
    this.#events.frame(frame, length);
  }

  #onActivity(): void {
    this.#heardAt = performance.now();
    this.#unansweredPings = 0;
  }

  #lookAfter(): void {
    const now = { steady: performance.now(), wall: Date.now() };
    const hasClockJumped =
      now.wall - this.#lookedAt.wall - (now.steady - this.#lookedAt.steady) > JUMP_MS;
    this.#lookedAt = now;
    const silence = now.steady - this.#heardAt;
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
    if (this.#unansweredPings === MISSED_PINGS) this.#events.unresponsive();
    this.#unansweredPings++;
    this.send({ type: "ping" });
  }

  #onConnectionLost(why: string, atOnce = false): void {
    const { firstRetryMs: firstMs, mostRetryMs: maxMs } = this.#options.timing;
    const delay = backoffDelayMs(this.#tries++, { firstMs, maxMs }, this.#options.random());
    const wait = atOnce ? 0 : delay;
    this.#end(() => {
      const turn = this.#turn;
      this.#retry = setTimeout(() => void this.#dial(turn), wait);
      this.#events.lost(why, wait);
    });
  }

  #end(then: () => void): void {
    this.#drop();
    then();
  }

  #drop(): void {
    this.#turn++;
    this.#welcomed = false;
    this.#closeReason = undefined;
    this.#early = undefined;
    clearTimeout(this.#retry);
    clearInterval(this.#look);
    this.#socket?.close();
    this.#socket = undefined;
  }
}

function read(text: string): HubFrame | undefined {
  try {
    const frame = JSON.parse(text) as Partial<HubFrame> | null;
    return typeof frame?.type === "string" ? (frame as HubFrame) : undefined;
  } catch {
    return undefined;
  }
}
