import { until } from "@signalbox/testing/until";
/** What a front end as seed 001 describes it does: lines in, lines out. */
export class RecordedFrontEnd implements Disposable {
  readonly seen: Record<string, unknown>[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #rest = "";

  constructor(url: string, headers: Record<string, string> = {}) {
    const Client = WebSocket as unknown as new (url: string, options: object) => WebSocket;
    this.#socket = new Client(url, { headers });
    this.#socket.addEventListener("message", ({ data }) => {
      const lines = (this.#rest + String(data)).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.seen.push(JSON.parse(line) as Record<string, unknown>);
    });
    this.closed = new Promise((resolve) =>
      this.#socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason })),
    );
  }

  send(message: object): void {
    this.#socket.send(`${JSON.stringify(message)}\n`);
  }
  raw(data: string | Uint8Array): void {
    this.#socket.send(data as never);
  }

  async opened(): Promise<void> {
    await until(() => this.#socket.readyState !== WebSocket.CONNECTING);
  }

  /** The first message that fits, from `after` on. */
  async see(fits: (message: Record<string, unknown>) => boolean, after = 0) {
    const find = () => this.seen.slice(after).find(fits);
    return until(`a message comes for which ${fits.toString()}`, find, {
      seen: () => this.seen.slice(after),
    });
  }

  get statuses(): unknown[] {
    return this.seen.flatMap((each) => (each["type"] === "status" ? [each["text"]] : []));
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
