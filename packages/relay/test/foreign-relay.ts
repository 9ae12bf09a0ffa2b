import type { ServerWebSocket } from "bun";
import { portToComeBackTo } from "@signalbox/testing/ports";

type DialRequest = Record<string, never>;

/** A relay as agents-ui has it: a dumb pipe with status messages. The test is its agent. */
export class DumbRelay implements Disposable {
  readonly heard: Record<string, unknown>[] = [];
  readonly #fronts = new Set<ServerWebSocket<DialRequest>>();
  #server: ReturnType<typeof Bun.serve> | undefined;
  #hasAgent = false;
  readonly port = portToComeBackTo();
  visits = 0;

  constructor() {
    this.open();
  }

  open(): void {
    this.#server = Bun.serve<DialRequest>({
      hostname: "127.0.0.1",
      port: this.port,
      reusePort: false,
      fetch: (request, server) => {
        if (new URL(request.url).pathname !== "/ws") return new Response(null, { status: 404 });
        const upgraded = server.upgrade(request, { data: {} });
        return upgraded ? undefined : new Response(null, { status: 426 });
      },
      websocket: {
        open: (socket) => {
          this.visits += 1;
          this.#fronts.add(socket);
          if (this.#hasAgent) socket.send(status("claude code is connected"));
        },
        message: (_, text) => {
          for (const line of String(text).split("\n")) {
            if (line !== "") this.heard.push(JSON.parse(line) as Record<string, unknown>);
          }
        },
        close: (socket) => void this.#fronts.delete(socket),
      },
    });
  }

  get fronts(): number {
    return this.#fronts.size;
  }

  agent(is: "connected" | "disconnected"): void {
    this.#hasAgent = is === "connected";
    this.#broadcast(status(`claude code ${is}`));
  }

  /** What the agent says. */
  say(...messages: object[]): void {
    for (const message of messages) this.#broadcast(`${JSON.stringify(message)}\n`);
  }

  #broadcast(text: string): void {
    for (const front of this.#fronts) front.send(text);
  }

  async close(): Promise<void> {
    this.#fronts.clear();
    await this.#server?.stop(true);
  }

  [Symbol.dispose](): void {
    void this.#server?.stop(true);
  }
}

function status(text: string): string {
  return `${JSON.stringify({ type: "status", text })}\n`;
}

/** One turn of a conversation, as Claude Code tells it. */
export function turn(session_id: string, text: string): object[] {
  const uuid = () => crypto.randomUUID();
  const message = { id: `m-${text}`, role: "assistant", content: [{ type: "text", text }] };
  return [
    {
      type: "system",
      subtype: "init",
      session_id,
      uuid: uuid(),
      cwd: "/tmp",
      model: "m",
      tools: [],
    },
    { type: "assistant", message, session_id, uuid: uuid(), parent_tool_use_id: null },
    { type: "result", subtype: "success", is_error: false, result: text, session_id, uuid: uuid() },
  ];
}
