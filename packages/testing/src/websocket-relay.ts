import { once } from "node:events";
import { type WebSocket, WebSocketServer } from "ws";

/** A host to which agents dial: it records who connects with which headers, what is said, and cuts at will. */
export class Relay {
  readonly server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  readonly headers: Record<string, string | string[] | undefined>[] = [];
  readonly got: string[] = [];
  readonly pings: number[] = [];
  acknowledges = false;
  socket: WebSocket | undefined;
  #last: string | undefined;

  async open(): Promise<this> {
    if (!this.server.address()) await once(this.server, "listening");
    this.server.on("headers", (headers) => {
      if (this.acknowledges && this.#last !== undefined) {
        headers.push(`X-Last-Request-Id: ${(JSON.parse(this.#last) as { uuid: string }).uuid}`);
      }
    });
    this.server.on("connection", (socket, request) => {
      this.socket = socket;
      this.headers.push(request.headers);
      socket.on("ping", () => this.pings.push(1));
      socket.on("message", (data: Buffer) => {
        if (this.socket !== socket) return;
        const lines = data.toString().split("\n").filter(Boolean);
        this.got.push(...lines);
        this.#last = lines.at(-1) ?? this.#last;
      });
    });
    return this;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  cut(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.terminate();
  }

  async close(): Promise<void> {
    for (const client of this.server.clients) client.terminate();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
