import { timingSafeEqual } from "node:crypto";
import { deferred } from "@signalbox/protocol/wire";
import type { Server, ServerWebSocket } from "bun";
import { PlainLines } from "./plain-lines.ts";

const FRAME_LIMIT = 64 * 1024 * 1024;
const ENOUGH = 16 * 1024 * 1024;

interface Caller {
  /** What the agent says it has said last. */
  readonly lastSaid: string | null;
}

/**
 * Where one agent that was started with `--sdk-url` connects to: a WebSocket on loopback, on a port of
 * its own, for whoever has the secret. It may go and come back as it likes; what was said while it was
 * away, or was on its way when it left, is said when it is back, and what it says again is passed over.
 */
export class AgentListener {
  readonly secret = crypto.randomUUID();
  readonly url: string;
  /** Settles when the agent has come for the first time. */
  readonly opened: Promise<void>;
  readonly #opened = deferred<void>();
  readonly #server: Server<Caller>;
  readonly #lines: PlainLines;
  #socket: ServerWebSocket<Caller> | undefined;
  #wasThere = false;
  #bufferedLines: string[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  /** `onLost`: what the agent said while it was away did not come, and will not. */
  constructor(onLost: () => void = () => {}) {
    this.opened = this.#opened.promise;
    this.#lines = new PlainLines({
      put: (text) => void this.#socket?.send(text),
      deliver: (lines) => {
        this.#bufferedLines.push(...lines);
        this.#wake?.();
      },
      lost: onLost,
      drop: (code, why) => this.#socket?.close(code, why),
    });
    const path = `/ws/cli/${crypto.randomUUID()}`;
    this.#server = Bun.serve<Caller>({
      hostname: "127.0.0.1",
      port: 0,
      reusePort: false,
      fetch: (request, server) => this.#answer(request, server, path),
      websocket: {
        maxPayloadLength: FRAME_LIMIT,
        idleTimeout: 0, // the agent is a child of ours: its exit says that it is gone
        sendPings: false,
        open: (socket) => this.#come(socket),
        message: (socket, frame) => this.#hear(socket, String(frame)),
        close: (socket) => this.#go(socket),
      },
    });
    this.url = `ws://127.0.0.1:${this.#server.port}${path}`;
  }

  #answer(request: Request, server: Server<Caller>, path: string): Response | undefined {
    if (new URL(request.url).pathname !== path) return new Response(null, { status: 404 });
    if (!isSame(request.headers.get("authorization") ?? "", `Bearer ${this.secret}`)) {
      return new Response(null, { status: 401 });
    }
    const last = this.#lines.lastHeard;
    const headers = last === undefined ? {} : { "X-Last-Request-Id": last };
    const lastSaid = request.headers.get("x-last-request-id");
    if (server.upgrade(request, { data: { lastSaid }, headers })) return undefined;
    return new Response(null, { status: 426 });
  }

  #come(socket: ServerWebSocket<Caller>): void {
    const before = this.#socket;
    this.#socket = socket; // first: what the old one still says, or its end, touches nothing
    before?.close(1000, "replaced");
    this.#lines.attached(this.#wasThere, socket.data.lastSaid);
    this.#wasThere = true;
    this.#opened.resolve();
  }

  #go(socket: ServerWebSocket<Caller>): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#lines.detached();
  }

  #hear(socket: ServerWebSocket<Caller>, frame: string): void {
    if (socket === this.#socket) this.#lines.received(frame);
  }

  /** Sends a line, or keeps it until the agent is back. Waits while too much is on its way. */
  async send(line: string): Promise<void> {
    this.#lines.send(line);
    while (!this.#closed && (this.#socket?.getBufferedAmount() ?? 0) > ENOUGH) await Bun.sleep(10);
  }

  /** What the agent says, in batches, until the door is closed. */
  async *incoming(): AsyncGenerator<readonly string[], void, undefined> {
    for (;;) {
      if (this.#bufferedLines.length > 0) {
        const batch = this.#bufferedLines;
        this.#bufferedLines = [];
        yield batch;
      } else if (this.#closed) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#server.stop(true);
    this.#wake?.();
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
