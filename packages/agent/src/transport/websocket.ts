import { StringDecoder } from "node:string_decoder";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import {
  type CloseReason,
  DEFAULT_LINE_LIMIT,
  deferred,
  FrameLines,
  type Line,
  SignalboxError,
  type Transport,
  escapeLineSeparators,
} from "@signalbox/protocol/wire";
import { WebSocket } from "ws";
import { clampTimerMs } from "../clamp-timer.ts";
import { type BufferGap, type BufferedLine, ResendBuffer } from "./resend-buffer.ts";

export interface WebSocketOptions {
  /** Sent as `Authorization: Bearer …`. A function is called before each connection attempt. */
  readonly token?: string | (() => string | undefined);
  readonly headers?: Readonly<Record<string, string>>;
  /** How many lines are stored to be sent again after a reconnect. */
  readonly bufferSize?: number;
  /** How many attempts in a row may fail before giving up. */
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly pingMs?: number;
  /** A connection counts as lost after this time without an answer to a dial or a ping. */
  readonly silenceMs?: number;
  /** Called with a sentence about each problem: a lost connection, or lost lines. */
  readonly report?: (sentence: string) => void;
}

/**
 * A ping is sent each time this fraction of the buffer has been filled, to ask whether the lines
 * have arrived.
 */
const PARTS = 32;

/**
 * Connects to a remote host, and reconnects when the connection is lost. Answers to pings, which
 * carry the number of the line before them, and the id that the host sends in `X-Last-Request-Id`
 * show which lines have arrived. While the connection is open, senders wait so that no unconfirmed
 * line is dropped from the buffer; while it is lost they continue.
 */
export function webSocketTransport(url: string, options: WebSocketOptions = {}): Transport {
  const dialed = new WebSocketConnection(url, options);
  dialed.connect();
  return dialed;
}

class WebSocketConnection implements Transport {
  readonly #url: string;
  readonly #options: Required<Omit<WebSocketOptions, "token" | "headers">>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #token: () => string | undefined;
  readonly #ring: ResendBuffer;
  readonly #lines = new FrameLines();
  /** Decodes frames. A character may be split between two frames. */
  readonly #characters = new StringDecoder();
  readonly #closed = deferred<CloseReason>();
  #over: CloseReason | undefined;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  /** The last line that was sent again, until it is known to have arrived. */
  #replayedTo: number | undefined;
  /** The id of the notice of lost lines, which is sent again until the host is known to have it. */
  #lossUuid: string | undefined;
  #arrived: Line[] = [];
  #wakeReader: (() => void) | undefined;
  #wakeSenders: (() => void)[] = [];

  constructor(url: string, { token, headers, ...options }: WebSocketOptions) {
    this.#url = url;
    this.#options = {
      bufferSize: 1000,
      attempts: 3,
      firstDelayMs: 1000,
      maxDelayMs: 30_000,
      pingMs: 10_000,
      silenceMs: 30_000,
      report: () => {},
      ...options,
    };
    this.#headers = { ...headers };
    this.#token = typeof token === "function" ? token : () => token;
    this.#ring = new ResendBuffer(this.#options.bufferSize);
  }

  readonly incoming: AsyncIterable<readonly Line[]> = {
    [Symbol.asyncIterator]: () => this.#read(),
  };

  get closed(): Promise<CloseReason> {
    return this.#closed.promise;
  }

  connect(): void {
    const token = this.#token();
    const headers: Record<string, string> = { ...this.#headers };
    if (token) headers["Authorization"] = `Bearer ${token}`;
    const last = this.#ring.lastUuid;
    if (last !== undefined) headers["X-Last-Request-Id"] = last;
    const socket = new WebSocket(this.#url, { headers });
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket && !this.#over;
    let named: string | undefined;
    let why = "";
    socket.on("upgrade", (response) => {
      const id = response.headers["x-last-request-id"];
      if (typeof id === "string" && id !== "") named = id;
    });
    socket.on("open", () => {
      if (isCurrent()) this.#onOpen(socket, named);
    });
    socket.on("message", (data: Buffer) => {
      if (isCurrent()) this.#onData(data);
    });
    socket.on("pong", (data: Buffer) => {
      if (isCurrent()) this.#onPong(Number(data.toString()));
    });
    socket.on("error", (cause: Error) => (why = cause.message));
    socket.on("close", (code: number) => {
      if (isCurrent()) this.#onLost(why || `it was closed with ${code}`);
    });
    this.#timer = setTimeout(() => this.#giveUp(socket), clampTimerMs(this.#options.silenceMs));
  }

  #onOpen(socket: WebSocket, named: string | undefined): void {
    this.#isOpen = true;
    clearTimeout(this.#timer);
    this.#heardAt = Date.now();
    const isKnown = named === undefined || this.#ring.hostHas(named);
    const { gap: hole } = this.#ring;
    if (hole.atMost > 0) this.#reportLoss(socket, lossText(hole), hole);
    else if (!isKnown && this.#ring.hasForgotten) {
      this.#reportLoss(socket, "Lines may be lost: the host names one that is no longer known");
    }
    // An answered ping is not proof that the host has handled the lines, because it may have
    // crashed with them. If it names no line, it gets everything once more, unless the buffer no
    // longer has everything.
    const isWhole = named === undefined && this.#replayedTo === undefined;
    this.#replayedTo = this.#ring.last;
    for (const buffered of isWhole ? this.#ring.all() : this.#ring.waiting())
      this.#sendBuffered(socket, buffered);
    this.#ask(socket);
    this.#ping = setInterval(() => this.#onTick(socket), clampTimerMs(this.#options.pingMs));
  }

  #sendBuffered(socket: WebSocket, buffered: BufferedLine): void {
    socket.send(`${buffered.line}\n`);
    this.#ring.markWritten(buffered);
    const part = Math.max(1, Math.floor(this.#options.bufferSize / PARTS));
    if (buffered.number % part === 0) this.#ask(socket, buffered.number);
  }

  /** Asks with a ping whether everything up to this line has arrived. The answer comes after it. */
  #ask(socket: WebSocket, number = this.#ring.last): void {
    if (socket.readyState === WebSocket.OPEN) socket.ping(String(number));
  }

  #onTick(socket: WebSocket): void {
    if (Date.now() - this.#heardAt >= this.#options.silenceMs) return this.#giveUp(socket);
    this.#ask(socket);
  }

  #giveUp(socket: WebSocket): void {
    this.#onLost(`nothing was heard for ${this.#options.silenceMs} ms`);
    socket.terminate();
  }

  /**
   * Called when the host has sent something. A server that accepts a connection and closes it again
   * is not a host.
   */
  #onActivity(): void {
    this.#heardAt = Date.now();
    this.#failures = 0;
  }

  #onPong(number: number): void {
    this.#onActivity();
    this.#ring.confirm(number);
    if (number >= (this.#replayedTo ?? 0)) this.#replayedTo = undefined;
    if (this.#ring.gap.atMost === 0) this.#lossUuid = undefined;
    if (!this.#ring.isFull) this.#wake();
  }

  #wake(): void {
    for (const go of this.#wakeSenders.splice(0)) go();
  }

  /**
   * Tells the host about lost lines, too, because a conversation with a gap must not look complete.
   */
  #reportLoss(socket: WebSocket, what: string, hole?: BufferGap): void {
    const text = `${what}: the connection was away for longer than ${this.#options.bufferSize} lines can be kept.`;
    this.#options.report(text);
    this.#lossUuid ??= crypto.randomUUID();
    const loss = { type: "system", subtype: "lines_lost" };
    const lines = hole && { lines: hole.atLeast, lines_at_most: hole.atMost };
    socket.send(`${JSON.stringify({ ...loss, ...lines, text, uuid: this.#lossUuid })}\n`);
  }

  #onData(data: Buffer): void {
    this.#onActivity();
    const lines = this.#lines.push(this.#characters.write(data));
    if (!lines) return this.#refuse();
    this.#arrived.push(...lines);
    this.#wakeReader?.();
  }

  #refuse(): void {
    const sentence = `The host has sent more than ${DEFAULT_LINE_LIMIT} characters without the end of a line.`;
    this.#options.report(sentence);
    this.#socket?.terminate();
    this.#end({ kind: "lost", sentence });
  }

  #onLost(why: string): void {
    this.#isOpen = false;
    this.#socket = undefined;
    this.#lines.reset(); // An incomplete line is dropped, and so is an incomplete character.
    this.#characters.end();
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#wake();
    const { attempts, firstDelayMs, maxDelayMs, report } = this.#options;
    if (this.#failures >= attempts) {
      const { open } = this.#ring;
      const unsentNote = open > 0 ? ` Its last ${open} lines are not known to have arrived.` : "";
      const sentence = `The connection to ${this.#url} is lost (${why}), and ${attempts} attempts to get it back failed.${unsentNote}`;
      report(sentence);
      return this.#end({ kind: "lost", sentence });
    }
    const backoff = { firstMs: firstDelayMs, maxMs: maxDelayMs };
    const delay = backoffDelayMs(this.#failures++, backoff, 1); // The delay has no jitter.
    this.#timer = setTimeout(() => this.connect(), clampTimerMs(delay));
  }

  async send(line: string): Promise<void> {
    if (this.#over) throw new SignalboxError("CONNECTION_CLOSED", { reason: this.#over });
    const buffered = this.#ring.push(escapeLineSeparators(line));
    if (!this.#isOpen || !this.#socket) return;
    this.#sendBuffered(this.#socket, buffered);
    // The wait is limited, because some hosts answer no pings.
    if (this.#ring.isFull) await this.#waitAtMost(this.#options.silenceMs, this.#change());
  }

  /** Settles when more has arrived, or when the connection is lost or closed. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#wakeSenders.push(resolve));
  }

  async #waitAtMost(ms: number, done: Promise<void>): Promise<void> {
    let late: ReturnType<typeof setTimeout> | undefined;
    const longEnough = new Promise((resolve) => (late = setTimeout(resolve, clampTimerMs(ms))));
    await Promise.race([done, longEnough]);
    clearTimeout(late);
  }

  async *#read(): AsyncGenerator<readonly Line[], void, undefined> {
    for (;;) {
      const batch = this.#arrived;
      if (batch.length > 0) {
        this.#arrived = [];
        yield batch;
      } else if (this.#over) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeReader = resolve));
      }
    }
  }

  #end(reason: CloseReason): void {
    if (this.#over) return;
    this.#over = reason;
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#closed.resolve(reason);
    this.#wake();
    this.#wakeReader?.();
  }

  async #drain(): Promise<void> {
    while (!this.#over && this.#ring.open > 0) {
      if (this.#isOpen && this.#socket) this.#ask(this.#socket);
      await this.#change();
    }
  }

  async close(): Promise<void> {
    await this.#waitAtMost(this.#options.silenceMs, this.#drain()); // The last lines must arrive, too.
    const socket = this.#socket;
    this.#end({ kind: "closed", sentence: "The connection was closed." });
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const socketClosed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.close(1000);
    const late = setTimeout(() => socket.terminate(), 1000);
    await socketClosed;
    clearTimeout(late);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function lossText({ atLeast, atMost }: BufferGap): string {
  const lines = (count: number) => `${count} ${count === 1 ? "line" : "lines"}`;
  if (atLeast === atMost) return `${lines(atLeast)} ${atLeast === 1 ? "was" : "were"} lost`;
  if (atLeast === 0) return `Up to ${lines(atMost)} may be lost`;
  return `At least ${atLeast} and at most ${lines(atMost)} were lost`;
}
