import { type LogMarker, type LogMarkerType, parseLogMarker } from "@signalbox/protocol";
import {
  formatFrame,
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_VERSION,
  type LineSource,
  type Order,
  parseFrame,
  frameToHub,
  type FrameToHubOfType,
} from "@signalbox/api/link";
import type { ServerWebSocket } from "bun";
import { portToComeBackTo } from "@signalbox/testing/ports";
import type { TerminalFrameToHub } from "../../src/link/terminal-frames.ts";
import { provingHub } from "@signalbox/testing/proving-hub";
import { untilChange } from "@signalbox/testing/until";

export interface StoredLine {
  readonly seq: number;
  readonly run: string;
  readonly from: LineSource;
  readonly text: string;
  readonly original?: string | undefined;
  readonly droppedBytes?: number | undefined;
}
type Socket = ServerWebSocket<string>;

/** The runner's own last lines of a session, for the sentence of a wait in vain. */
function lastNotes([session, lines]: [string, StoredLine[]]): unknown {
  const notes = lines.filter(({ from }) => from === "keeper").slice(-3);
  return { session, lines: lines.length, notes: notes.map(({ text }) => text) };
}

/** A small hub: stores lines, acknowledges them, and gives orders. A real socket, on any port. */
export class FakeHub implements AsyncDisposable {
  readonly proving = provingHub();
  readonly hellos: FrameToHubOfType<"hello">[] = [];
  /** Lines that came a second time, and were dropped. */
  doubled = 0;
  /** Lines that came too early: the connection was closed. */
  gaps = 0;
  chunks = 0;
  /** What the runner said of its terminals. */
  readonly terminalFrames: TerminalFrameToHub[] = [];
  frames = 0;
  /** While true, what is stored is not acknowledged. */
  silent = false;
  /** While true, frames are thrown away, as if they were still on their way. */
  deaf = false;
  readonly #stored = new Map<string, StoredLine[]>();
  readonly #partial = new Map<
    string,
    { seq: number; text: string; original: string; pieces: number }
  >();
  readonly #done = new Map<string, FrameToHubOfType<"done">>();
  #server: Bun.Server<string>;
  #socket: Socket | undefined;
  readonly #listeners = new Set<() => void>();

  readonly #port = portToComeBackTo();

  constructor() {
    this.#server = this.#serve(this.#port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  lines(session: string): readonly StoredLine[] {
    return this.#stored.get(session) ?? [];
  }

  texts(session: string, from: LineSource): string[] {
    return this.lines(session).flatMap((line) => (line.from === from ? line.text : []));
  }

  notes<T extends LogMarkerType>(session: string, subtype: T): LogMarker<T>[] {
    const notes = this.texts(session, "keeper").map(parseLogMarker);
    return notes.filter((note) => note?.subtype === subtype) as LogMarker<T>[];
  }

  /** Waits until something is so; it is looked at whenever a frame came. */
  until<R>(is: () => R | undefined | false): Promise<R> {
    const found = () => {
      const value = is();
      return value !== undefined && value !== false && { value };
    };
    const seen = () => ({ frames: this.frames, notes: [...this.#stored].map(lastNotes) });
    const what = `the hub has got what makes this true: ${is.toString()}`;
    return untilChange(what, this, found, { seen }).then(({ value }) => value);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note<T extends LogMarkerType>(session: string, subtype: T): Promise<LogMarker<T>> {
    return this.until(() => this.notes(session, subtype).at(-1));
  }

  async order(order: Order, id: string = crypto.randomUUID()): Promise<FrameToHubOfType<"done">> {
    const socket = await this.connected();
    this.#done.delete(id);
    socket.send(formatFrame({ type: "order", id, order }));
    return this.done(id);
  }

  /** Gives an order without waiting for what becomes of it. */
  async send(order: Order, id: string): Promise<void> {
    (await this.connected()).send(formatFrame({ type: "order", id, order }));
  }

  async sendText(text: string): Promise<void> {
    (await this.connected()).send(text);
  }

  done(id: string): Promise<FrameToHubOfType<"done">> {
    return this.until(() => this.#done.get(id));
  }

  connected(): Promise<Socket> {
    return this.until(() => this.#socket);
  }

  acknowledgeAll(): void {
    for (const session of this.#stored.keys()) this.#acknowledge(session);
  }

  /** The connection breaks, without a word. */
  cut(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
  }

  /** The hub is gone; `back` starts it again at the same address, with what it had stored. */
  async away(): Promise<void> {
    this.#socket = undefined;
    await this.#server.stop(true);
  }

  back(): void {
    this.#server = this.#serve(this.#port);
  }

  #serve(port: number): Bun.Server<string> {
    return Bun.serve<string>({
      port,
      hostname: "127.0.0.1",
      fetch: (request, server) => {
        const ours =
          new URL(request.url).pathname === LINK_PATH &&
          this.proving.isRunner(request) &&
          request.headers.get("sec-websocket-protocol") === LINK_PROTOCOL;
        if (!ours) return new Response("no", { status: 401 });
        const headers = { "Sec-WebSocket-Protocol": LINK_PROTOCOL };
        return server.upgrade(request, { headers, data: this.proving.proof(request) })
          ? undefined
          : new Response("no", { status: 400 });
      },
      websocket: {
        open: (socket) => void socket.send(socket.data),
        message: (socket, data) => {
          this.#receive(socket, String(data));
          for (const listener of this.#listeners) listener();
        },
        close: (socket) => {
          if (this.#socket === socket) this.#socket = undefined;
        },
      },
    });
  }

  #receive(socket: Socket, text: string): void {
    if (this.deaf) return;
    const read = parseFrame(frameToHub, text);
    if (!read) throw new Error(`not a frame: ${text.slice(0, 200)}`);
    const { frame, lines } = read;
    this.frames += 1;
    switch (frame.type) {
      case "hello": {
        this.hellos.push(frame);
        const stored = [...this.#stored].map(([session, all]) => [session, all.length]);
        const { generation } = frame;
        socket.send(
          formatFrame({
            type: "welcome",
            version: LINK_VERSION,
            generation,
            stored: Object.fromEntries(stored),
          }),
        );
        this.#partial.clear();
        this.#socket = socket;
        break;
      }
      case "lines":
        for (const [index, line] of lines.entries()) {
          this.#store(socket, frame.session, {
            seq: frame.first + index,
            run: frame.run,
            from: frame.from[index] ?? "keeper",
            text: line,
            ...frame.flaws?.[index],
          });
        }
        this.#acknowledge(frame.session);
        break;
      case "chunk": {
        this.chunks += 1;
        const { session, seq, run, from } = frame;
        const begun = this.#partial.get(session);
        const partial = begun?.seq === seq ? begun : { seq, text: "", original: "", pieces: 0 };
        partial.text += lines.join("\n");
        partial.original += frame.flaws?.original ?? "";
        partial.pieces += 1;
        this.#partial.set(session, partial);
        if (!frame.last) {
          const { pieces } = partial;
          socket.send(formatFrame({ type: "taken", session, seq, pieces }));
          break;
        }
        const { original } = partial;
        const line = { seq, run, from, text: partial.text, ...frame.flaws };
        this.#store(socket, session, { ...line, ...(original !== "" && { original }) });
        this.#acknowledge(session);
        break;
      }
      case "done":
        this.#done.set(frame.id, frame);
        break;
      case "terminals":
      case "terminal-snapshot":
      case "terminal-output":
      case "terminal-size":
        this.terminalFrames.push(frame);
        break;
      case "load":
      case "transcript":
      case "folder-changed":
        break;
      default:
        frame satisfies never;
    }
  }

  #store(socket: Socket, session: string, line: StoredLine): void {
    const all = this.#stored.get(session) ?? [];
    this.#stored.set(session, all);
    if (line.seq <= all.length) {
      this.doubled += 1;
    } else if (line.seq === all.length + 1) {
      all.push(line);
    } else {
      this.gaps += 1;
      socket.close(4000, "a gap");
    }
  }

  #acknowledge(session: string): void {
    const seq = this.lines(session).length;
    if (this.silent || seq === 0) return;
    this.#socket?.send(formatFrame({ type: "ack", session, seq }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}
