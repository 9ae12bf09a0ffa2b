import { authorization } from "@signalbox/testing/signed-requests";
import type { HubFrame } from "@signalbox/api";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";

/** One client of the hub, as small as can be: it keeps the items, and counts. */
export class Viewer {
  readonly items = new Map<string, { rev: number; text?: unknown }>();
  bytes = 0;
  #epoch = "";
  #rev = -1;
  #isLive = false;
  #socket: WebSocket | undefined;
  #wake: (() => void)[] = [];
  /** Called with each frame as it arrives. */
  onFrame: (frame: HubFrame) => void = () => {};
  readonly #url: string;
  readonly #token: string;
  readonly #session: string;

  constructor(url: string, token: string, session: string) {
    this.#url = url;
    this.#token = token;
    this.#session = session;
  }

  async connect(): Promise<void> {
    const answer = await fetch(new URL("/api/tickets", this.#url), {
      method: "POST",
      headers: {
        Authorization: await authorization(this.#url, this.#token, "POST", "/api/tickets"),
      },
    });
    const { ticket } = (await answer.json()) as { ticket: string };
    const socket = new WebSocket(new URL("/api/stream", this.#url).href.replace("http", "ws"), [
      STREAM_PROTOCOL,
      TICKET_PROTOCOL + ticket,
    ]);
    this.#socket = socket;
    let received = 0;
    this.#isLive = false;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "hello", version: 1 }));
      const has = this.#rev < 0 ? {} : { epoch: this.#epoch, rev: this.#rev };
      socket.send(JSON.stringify({ type: "watch", session: this.#session, ...has }));
    });
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      received += text.length;
      this.bytes += text.length;
      this.#apply(JSON.parse(text) as HubFrame);
      socket.send(JSON.stringify({ type: "ack", received }));
    });
  }

  #apply(frame: HubFrame): void {
    if (frame.type === "items") {
      if (frame.reset) this.items.clear();
      for (const item of frame.items) this.items.set(item.id, item);
      this.#epoch = frame.epoch;
      this.#rev = frame.rev;
      if (!frame.more) {
        this.#isLive = true;
        for (const wake of this.#wake.splice(0)) wake();
      }
    }
    this.onFrame(frame);
  }

  /** Settles when it has what there is. */
  async live(): Promise<void> {
    while (!this.#isLive) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  disconnect(): void {
    this.#socket?.close();
  }
}
