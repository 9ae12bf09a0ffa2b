import {
  type CloseReason,
  deferred,
  type Line,
  LineSplitter,
  SignalboxError,
  type Transport,
} from "@signalbox/protocol/wire";
import { WebSocket } from "ws";
import { Ring } from "./ring.ts";

export interface WebSocketOptions {
  /** Goes out as `Authorization: Bearer …`. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many lines are kept to be said again after a reconnect. */
  readonly bufferSize?: number;
  /** How often it is tried again, in a row, before giving up. */
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly pingMs?: number;
  /** Told what went wrong, in a sentence: a lost connection, lines that are lost. */
  readonly report?: (sentence: string) => void;
}

/** A host somewhere else, reached by dialling; a lost connection is dialled again. */
export function webSocketTransport(url: string, options: WebSocketOptions = {}): Transport {
  const dialled = new Dialled(url, options);
  dialled.connect();
  return dialled;
}

class Dialled implements Transport {
  readonly #url: string;
  readonly #options: Required<Omit<WebSocketOptions, "token" | "headers">>;
  readonly #headers: Record<string, string>;
  readonly #ring: Ring;
  readonly #splitter = new LineSplitter();
  readonly #closed = deferred<CloseReason>();
  #over: CloseReason | undefined;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #arrived: Line[] = [];
  #wakeReader: (() => void) | undefined;

  constructor(url: string, { token, headers, ...options }: WebSocketOptions) {
    this.#url = url;
    this.#options = {
      bufferSize: 1000,
      attempts: 3,
      firstDelayMs: 1000,
      maxDelayMs: 30_000,
      pingMs: 10_000,
      report: () => {},
      ...options,
    };
    this.#headers = { ...headers };
    if (token !== undefined) this.#headers["Authorization"] = `Bearer ${token}`;
    this.#ring = new Ring(this.#options.bufferSize);
  }

  readonly incoming: AsyncIterable<readonly Line[]> = {
    [Symbol.asyncIterator]: () => this.#read(),
  };

  get closed(): Promise<CloseReason> {
    return this.#closed.promise;
  }

  connect(): void {
    const headers = { ...this.#headers };
    const last = this.#ring.lastId;
    if (last !== undefined) headers["X-Last-Request-Id"] = last;
    const socket = new WebSocket(this.#url, { headers });
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket && !this.#over;
    let acknowledged: string | undefined;
    let why = "";
    socket.on("upgrade", (response) => {
      const id = response.headers["x-last-request-id"];
      if (typeof id === "string" && id !== "") acknowledged = id;
    });
    socket.on("open", () => {
      if (isCurrent()) this.#onOpen(socket, acknowledged);
    });
    socket.on("message", (data: Buffer) => {
      if (isCurrent()) this.#onData(data);
    });
    socket.on("error", (cause: Error) => (why = cause.message));
    socket.on("close", (code: number) => {
      if (isCurrent()) this.#onLost(why || `it was closed with ${code}`);
    });
  }

  #onOpen(socket: WebSocket, acknowledged: string | undefined): void {
    this.#isOpen = true;
    this.#failures = 0;
    const lost = this.#ring.takeLost();
    if (acknowledged !== undefined && !this.#ring.acknowledge(acknowledged) && lost === 0) {
      this.#tellLoss(undefined);
    }
    if (lost > 0) this.#tellLoss(lost);
    for (const kept of this.#ring.all()) {
      socket.send(`${kept.line}\n`);
      this.#ring.markSent(kept);
    }
    this.#ping = setInterval(() => socket.ping(), this.#options.pingMs);
  }

  /** The host is told too: a conversation with a hole in it must not look whole. */
  #tellLoss(lines: number | undefined): void {
    const what = lines === undefined ? "Lines" : `${lines} lines`;
    const text = `${what} were lost: the connection was away for longer than ${this.#options.bufferSize} lines can be kept.`;
    this.#options.report(text);
    const uuid = crypto.randomUUID();
    const loss = { type: "system", subtype: "lines_lost", ...(lines !== undefined && { lines }) };
    this.#socket?.send(`${JSON.stringify({ ...loss, text, uuid })}\n`);
  }

  #onData(data: Buffer): void {
    const bytes = data.at(-1) === 0x0a ? data : Buffer.concat([data, Buffer.from("\n")]);
    this.#arrived.push(...this.#splitter.push(bytes));
    this.#wakeReader?.();
  }

  #onLost(why: string): void {
    this.#isOpen = false;
    this.#socket = undefined;
    clearInterval(this.#ping);
    const { attempts, firstDelayMs, maxDelayMs, report } = this.#options;
    if (this.#failures >= attempts) {
      const unsent = this.#ring.all().filter((kept) => !kept.sent).length;
      const kept = unsent > 0 ? ` ${unsent} lines were not delivered.` : "";
      const sentence = `The connection to ${this.#url} is lost (${why}), and ${attempts} attempts to get it back failed.${kept}`;
      report(sentence);
      return this.#end({ kind: "lost", sentence });
    }
    const delay = Math.min(firstDelayMs * 2 ** this.#failures++, maxDelayMs);
    this.#timer = setTimeout(() => this.connect(), delay);
  }

  send(line: string): Promise<void> {
    if (this.#over) {
      return Promise.reject(new SignalboxError("CONNECTION_CLOSED", { reason: this.#over }));
    }
    const kept = this.#ring.push(line);
    const socket = this.#socket;
    if (!this.#isOpen || !socket) return Promise.resolve();
    return new Promise((resolve) => {
      // A write that fails is followed by `close`, and the line is still in the ring.
      socket.send(`${line}\n`, (failure) => {
        if (!failure) this.#ring.markSent(kept);
        resolve();
      });
    });
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
    this.#wakeReader?.();
  }

  async close(): Promise<void> {
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
