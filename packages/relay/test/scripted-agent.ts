import { until } from "@signalbox/testing/until";

type Message = Record<string, unknown>;

/** An agent that says what the test wants: the wire as `--sdk-url` speaks it, without a program behind it. */
export class ScriptedAgent implements Disposable {
  readonly heard: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Settles with whether it was let in. */
  readonly entered: Promise<boolean>;
  readonly #socket: WebSocket;
  #rest = "";

  /** `answers`: whether it answers `initialize` by itself, as agents do. */
  constructor(
    url: string,
    headers: Record<string, string> = {},
    initialized = false,
    answers = true,
  ) {
    const Client = WebSocket as unknown as new (url: string, options: object) => WebSocket;
    this.#socket = new Client(url, { headers });
    this.#socket.addEventListener("message", ({ data }) => {
      const lines = (this.#rest + String(data)).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as Message;
        this.heard.push(message);
        if (answers) this.answer(message, initialized);
      }
    });
    this.closed = new Promise((resolve) =>
      this.#socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason })),
    );
    this.entered = new Promise((resolve) => {
      this.#socket.addEventListener("open", () => resolve(true));
      this.#socket.addEventListener("close", () => resolve(false));
    });
  }

  /** Answers `initialize`. */
  answer(message: Message, initialized = false): void {
    const { request, request_id } = message as { request?: Message; request_id?: string };
    if (request?.["subtype"] !== "initialize") return;
    const answer = initialized
      ? { subtype: "error", error: "Already initialized", pending_permission_requests: [] }
      : { subtype: "success", response: { commands: [{ name: "help" }] } };
    this.say({ type: "control_response", response: { ...answer, request_id } });
  }

  say(...messages: object[]): void {
    this.raw(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }
  /** Once it is connected: the hub may know of that before this end does. */
  raw(data: string | Uint8Array): void {
    const send = () => this.#socket.send(data as never);
    if (this.#socket.readyState !== WebSocket.CONNECTING) send();
    else this.#socket.addEventListener("open", send, { once: true });
  }

  text(said: string, more: object = {}): string {
    const uuid = crypto.randomUUID();
    const content = [{ type: "text", text: said }];
    const message = { id: `msg_${uuid}`, role: "assistant", content };
    this.say({ type: "assistant", message, parent_tool_use_id: null, uuid, ...more });
    return uuid;
  }

  async hears(fits: (message: Message) => boolean): Promise<Message> {
    return until(`a message comes for which ${fits.toString()}`, () => this.heard.find(fits), {
      seen: () => this.heard,
    });
  }

  /** The connection breaks, as far as the hub can tell. */
  break(): void {
    (this.#socket as WebSocket & { terminate(): void }).terminate();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

/** The status of an upgrade that was refused, or 101. */
export async function upgradeStatus(
  url: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(url.replace(/^ws/, "http"), {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    },
  });
  await response.body?.cancel();
  return response.status;
}
