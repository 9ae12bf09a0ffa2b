import type { ServerWebSocket } from "bun";
import { portToComeBackTo } from "./ports.ts";

interface Head {
  readonly type: string;
  readonly subtype: string;
  readonly received?: number;
  readonly lost?: number;
  readonly first?: number;
  readonly number?: number;
  readonly last?: boolean;
  readonly code?: number;
  readonly stderr?: string;
}

type SocketData = { readonly life: string };

/** A relay for which the test decides: what it stores, when it is there, and which form it speaks. */
export class FakeRelay implements Disposable {
  readonly stored: string[] = [];
  /** What was stored of lives before this one, each with its end. */
  readonly past: { stored: string[]; ended: Head | undefined }[] = [];
  readonly lives = new Set<string>();
  readonly requests: Headers[] = [];
  readonly #toSay: string[] = [];
  readonly #form: "ours" | "plain" | "silent";
  #server: ReturnType<typeof Bun.serve> | undefined;
  #socket: ServerWebSocket<SocketData> | undefined;
  readonly #port = portToComeBackTo();
  #piece = "";
  #life = "";
  /** The `hello.received` and acknowledgements of the other side, the newest. */
  taken = 0;
  ended: Head | undefined;
  connections = 0;
  pings = 0;
  refuseWith: number | undefined;
  /** The hub's own words of it. */
  reason: string | undefined;
  /** Its first word is late: it is said when the test says so; that of a plain relay is never said. */
  isLate = false;
  /** Plain lines, where they are not expected. */
  notUnderstood = 0;
  /** What it was told to be missing, by each connection that said so. */
  readonly lost: number[] = [];

  constructor(form: "ours" | "plain" | "silent" = "ours") {
    this.#form = form;
    this.open();
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/ws/cli/a-session`;
  }

  open(): void {
    this.#server = Bun.serve<SocketData>({
      hostname: "127.0.0.1",
      port: this.#port,
      reusePort: false,
      fetch: (request, server) => {
        if (this.refuseWith !== undefined) return this.#refused(this.refuseWith);
        this.requests.push(request.headers);
        const life = request.headers.get("x-signalbox-dial") ?? "";
        this.lives.add(life);
        return server.upgrade(request, { data: { life } })
          ? undefined
          : new Response(null, { status: 426 });
      },
      websocket: {
        maxPayloadLength: 64 << 20,
        open: (socket) => this.#come(socket),
        ping: () => void (this.pings += 1),
        message: (socket, text) => {
          if (socket === this.#socket) this.#hear(String(text));
        },
      },
    });
  }

  #refused(status: number): Response {
    if (this.reason === undefined) return new Response(null, { status });
    const headers = { "content-type": "application/problem+json" };
    return new Response(JSON.stringify({ status, detail: this.reason }), { status, headers });
  }

  /** Nobody answers any more, and whoever was connected is not told. */
  async close(): Promise<void> {
    this.#socket = undefined;
    await this.#server?.stop(true);
  }

  cut(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** A line for the agent. */
  say(line: string): void {
    this.#toSay.push(line);
    if (this.#form === "ours") this.#send({ subtype: "lines", first: this.#toSay.length }, [line]);
    else this.#socket?.send(`${line}\n`);
  }

  stop(): void {
    this.#send({ subtype: "stop" });
  }

  #send(head: object, lines: readonly string[] = []): void {
    const text = JSON.stringify({ type: "signalbox_dial", ...head });
    this.#socket?.send([text, ...lines].join("\n"));
  }

  #come(socket: ServerWebSocket<SocketData>): void {
    this.#socket = socket;
    if (this.#life !== "" && this.#life !== socket.data.life) this.#begin();
    this.#life = socket.data.life;
    this.#piece = "";
    this.connections += 1;
    if (this.#form === "ours") {
      if (!this.isLate) this.welcome();
    } else if (this.#form === "plain" && !this.isLate) {
      socket.send(
        '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n',
      );
    }
  }

  welcome(): void {
    this.#send({ subtype: "welcome", version: 1, received: this.stored.length });
  }

  /** Another life: it is numbered by itself. */
  #begin(): void {
    this.past.push({ stored: this.stored.splice(0), ended: this.ended });
    this.#toSay.length = 0;
    this.ended = undefined;
  }

  #hear(text: string): void {
    if (this.#form !== "ours") {
      this.stored.push(...text.split("\n").filter((line) => line !== ""));
      return;
    }
    const [first = "", ...lines] = text.split("\n");
    const head = JSON.parse(first) as Head;
    if (head.type !== "signalbox_dial") this.notUnderstood += 1;
    switch (head.subtype) {
      case "hello":
        if (head.lost !== undefined) this.lost.push(head.lost);
        this.taken = head.received ?? 0;
        for (const [at, line] of this.#toSay.slice(this.taken).entries()) {
          this.#send({ subtype: "lines", first: this.taken + at + 1 }, [line]);
        }
        break;
      case "lines":
        this.#store(head.first ?? 0, lines);
        break;
      case "chunk":
        this.#piece += lines.join("\n");
        if (head.last === true) this.#store(head.number ?? 0, [this.#piece]);
        if (head.last === true) this.#piece = "";
        break;
      case "ack":
        this.taken = head.received ?? 0;
        break;
      case "ended":
        this.ended = head;
        this.#socket?.close(1000);
        break;
    }
  }

  #store(first: number, lines: readonly string[]): void {
    if (first > this.stored.length + 1) throw new Error(`a gap before ${first}`);
    this.stored.push(...lines.slice(this.stored.length + 1 - first));
    this.#send({ subtype: "ack", received: this.stored.length });
  }

  [Symbol.dispose](): void {
    void this.#server?.stop(true);
  }
}
