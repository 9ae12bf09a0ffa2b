type Head = { subtype: string; [field: string]: unknown };

/** The other side of dial's frames, without a program behind it: numbers, keeps and sends again. */
export class ScriptedDial implements Disposable {
  /** Lines that the agent was given, in order. */
  readonly given: string[] = [];
  readonly life = crypto.randomUUID();
  readonly statuses: number[] = [];
  acked = 0;
  connections = 0;
  /** Whether its agent is ready: it answers `initialize`. */
  answers = true;
  /** What it says to be missing, when it is welcomed. */
  lost: number | undefined;
  /** With what it ends when the hub says so. */
  endsWhenStopped: number | undefined;
  lastClose: { code: number; reason: string } | undefined;
  readonly #url: () => string;
  readonly #secret: string;
  readonly #lines: string[] = [];
  readonly #random: () => number;
  #ended: object | undefined;
  #socket: WebSocket | undefined;
  #isWelcome = false;
  #over = false;
  #received = 0;

  constructor(url: () => string, secret: string, random: () => number = Math.random) {
    this.#url = url;
    this.#secret = secret;
    this.#random = random;
    this.#connect();
  }

  #connect(): void {
    if (this.#over) return;
    const Client = WebSocket as unknown as new (url: string, options: object) => WebSocket;
    const headers = { authorization: `Bearer ${this.#secret}`, "x-signalbox-dial": this.life };
    const socket = new Client(this.#url(), { headers });
    this.#socket = socket;
    this.#isWelcome = false;
    socket.addEventListener("open", () => void (this.connections += 1));
    socket.addEventListener("message", ({ data }) => this.#hear(String(data)));
    socket.addEventListener("close", ({ code, reason }) => {
      this.lastClose = { code, reason };
      if (code !== 1000) setTimeout(() => this.#connect(), 10 + this.#random() * 40);
    });
  }

  #hear(text: string): void {
    const [first = "", ...lines] = text.split("\n");
    const head = JSON.parse(first) as Head;
    if (head.subtype === "welcome") {
      this.#isWelcome = true;
      this.acked = head["received"] as number;
      this.#received = Math.min(this.#received, head["given"] as number);
      this.#put({
        subtype: "hello",
        version: 1,
        received: this.#received,
        folder: "/far",
        agent: { path: "/bin/far", version: "9.9.9" },
        ...(this.lost !== undefined && { lost: this.lost }),
      });
      this.#send(this.acked);
      if (this.#ended) this.#put(this.#ended);
    }
    if (head.subtype === "stop" && this.endsWhenStopped !== undefined) {
      this.end(this.endsWhenStopped);
    }
    if (head.subtype === "ack") this.acked = head["received"] as number;
    if (head.subtype === "lines") this.#give(head["first"] as number, lines);
  }

  #give(first: number, lines: readonly string[]): void {
    const news = lines.slice(this.#received + 1 - first);
    this.#received += news.length;
    this.given.push(...news);
    this.#put({ subtype: "ack", received: this.#received });
    for (const line of news) {
      const { request, request_id } = JSON.parse(line) as {
        request?: { subtype: string };
        request_id?: string;
      };
      if (request?.subtype !== "initialize" || !this.answers) continue;
      this.say({
        type: "control_response",
        response: { subtype: "success", request_id, response: { commands: [] } },
      });
    }
  }

  say(message: object): void {
    this.#lines.push(JSON.stringify(message));
    if (this.#isWelcome) this.#send(this.#lines.length - 1);
  }

  #send(after: number): void {
    const lines = this.#lines.slice(after);
    if (lines.length > 0) this.#put({ subtype: "lines", first: after + 1 }, lines);
  }

  end(code: number): void {
    this.#ended = { subtype: "ended", code, signal: null, stderr: "its last words" };
    if (this.#isWelcome) this.#put(this.#ended);
  }

  #put(head: object, lines: readonly string[] = []): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send([JSON.stringify({ type: "signalbox_dial", ...head }), ...lines].join("\n"));
  }

  /** Its line breaks; it dials again. */
  break(): void {
    (this.#socket as (WebSocket & { terminate(): void }) | undefined)?.terminate();
  }

  [Symbol.dispose](): void {
    this.#over = true;
    this.#socket?.close();
  }
}
