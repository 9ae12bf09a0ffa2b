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
  /** Goes out as `Authorization: Bearer …`; a function is asked whenever it is dialed. */
  readonly token?: string | (() => string | undefined);
  readonly headers?: Readonly<Record<string, string>>;
  /** How many lines are kept to be said again after a reconnect. */
  readonly bufferSize?: number;
  /** How often it is tried again, in a row, before giving up. */
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly pingMs?: number;
  /** After so long without a sign of life, dialed or pings unanswered, the connection counts as lost. */
  readonly silenceMs?: number;
  /** Told what went wrong, in a sentence: a lost connection, lines that are lost. */
  readonly report?: (sentence: string) => void;
}

/** Every so many parts of the ring a ping asks whether they have arrived. */
const PARTS = 32;

/**
 * A host somewhere else, reached by dialing; a lost connection is dialed again. That lines have
 * arrived is known by the answers to pings, which carry the number of the line before them, and by what
 * the host names in `X-Last-Request-Id`. While the connection is up senders wait rather than let lines
 * fall out of the ring unheard; while it is away they go on.
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
  /** A character may be cut by the border of two frames. */
  readonly #characters = new StringDecoder();
  readonly #closed = deferred<CloseReason>();
  #over: CloseReason | undefined;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  /** The last line that was said again, as long as it is not known to have arrived. */
  #replayedTo: number | undefined;
  /** Told again until the host is known to have been told. */
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
    const { hole } = this.#ring;
    if (hole.atMost > 0) this.#tellLoss(socket, lossText(hole), hole);
    else if (!isKnown && this.#ring.hasForgotten) {
      this.#tellLoss(socket, "Lines may be lost: the host names one that is no longer known");
    }
    // An answered ping is not the word of the host, which may have fallen over what it took: if it names
    // nothing it gets everything once more, unless there was no time even for that.
    const isWhole = named === undefined && this.#replayedTo === undefined;
    this.#replayedTo = this.#ring.last;
    for (const kept of isWhole ? this.#ring.all() : this.#ring.waiting()) this.#put(socket, kept);
    this.#ask(socket);
    this.#ping = setInterval(() => this.#onTick(socket), clampTimerMs(this.#options.pingMs));
  }

  #put(socket: WebSocket, kept: BufferedLine): void {
    socket.send(`${kept.line}\n`);
    this.#ring.markWritten(kept);
    const part = Math.max(1, Math.floor(this.#options.bufferSize / PARTS));
    if (kept.number % part === 0) this.#ask(socket, kept.number);
  }

  /** Whether everything up to here has arrived: the answer comes after it. */
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

  /** Somebody is there: whoever only takes a connection and closes it again is not. */
  #heard(): void {
    this.#heardAt = Date.now();
    this.#failures = 0;
  }

  #onPong(number: number): void {
    this.#heard();
    this.#ring.confirm(number);
    if (number >= (this.#replayedTo ?? 0)) this.#replayedTo = undefined;
    if (this.#ring.hole.atMost === 0) this.#lossUuid = undefined;
    if (!this.#ring.isFull) this.#wake();
  }

  #wake(): void {
    for (const go of this.#wakeSenders.splice(0)) go();
  }

  /** The host is told too: a conversation with a hole in it must not look whole. */
  #tellLoss(socket: WebSocket, what: string, hole?: BufferGap): void {
    const text = `${what}: the connection was away for longer than ${this.#options.bufferSize} lines can be kept.`;
    this.#options.report(text);
    this.#lossUuid ??= crypto.randomUUID();
    const loss = { type: "system", subtype: "lines_lost" };
    const lines = hole && { lines: hole.atLeast, lines_at_most: hole.atMost };
    socket.send(`${JSON.stringify({ ...loss, ...lines, text, uuid: this.#lossUuid })}\n`);
  }

  #onData(data: Buffer): void {
    this.#heard();
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
    this.#lines.reset(); // half a line is none, and half a character
    this.#characters.end();
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#wake();
    const { attempts, firstDelayMs, maxDelayMs, report } = this.#options;
    if (this.#failures >= attempts) {
      const { open } = this.#ring;
      const kept = open > 0 ? ` Its last ${open} lines are not known to have arrived.` : "";
      const sentence = `The connection to ${this.#url} is lost (${why}), and ${attempts} attempts to get it back failed.${kept}`;
      report(sentence);
      return this.#end({ kind: "lost", sentence });
    }
    const backoff = { firstMs: firstDelayMs, maxMs: maxDelayMs };
    const delay = backoffDelayMs(this.#failures++, backoff, 1); // without jitter
    this.#timer = setTimeout(() => this.connect(), clampTimerMs(delay));
  }

  async send(line: string): Promise<void> {
    if (this.#over) throw new SignalboxError("CONNECTION_CLOSED", { reason: this.#over });
    const kept = this.#ring.push(escapeLineSeparators(line));
    if (!this.#isOpen || !this.#socket) return;
    this.#put(this.#socket, kept);
    // Not for ever: some host may answer no pings.
    if (this.#ring.isFull) await this.#within(this.#options.silenceMs, this.#change());
  }

  /** Settles when more has arrived, or the connection is lost or over. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#wakeSenders.push(resolve));
  }

  async #within(ms: number, done: Promise<void>): Promise<void> {
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
    await this.#within(this.#options.silenceMs, this.#drain()); // what was said last must arrive, too
    const socket = this.#socket;
    this.#end({ kind: "closed", sentence: "The connection was closed." });
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.close(1000);
    const late = setTimeout(() => socket.terminate(), 1000);
    await gone;
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
