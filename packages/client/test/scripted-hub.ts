import type { ClientFrame, HubFrame } from "@signalbox/api";
import { until, within } from "@signalbox/testing/until";
import type { Server, ServerWebSocket } from "bun";

export const HUB = "11111111-1111-4111-8111-111111111111";
export const EPOCH = "epoch-1";
export const TOKEN = "the-token";

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly command: string | null;
  readonly authorization: string | null;
  readonly body: unknown;
}
type Answer = Response | "lost" | Promise<Response | "lost">;
export type Answerer = (call: SeenCall) => Answer;

/** One connection of a client, which the test observes and answers. */
export class Connection {
  readonly #socket: ServerWebSocket<unknown>;
  readonly received: ClientFrame[] = [];
  #closed = false;

  constructor(socket: ServerWebSocket<unknown>) {
    this.#socket = socket;
  }

  /** A text alone continues the last live text. */
  send(frame: HubFrame | { type: string } | string): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** `now`: the hub's clock. */
  welcome(now = Date.now(), answersPings = false): void {
    this.send({
      now,
      answersPings,
      type: "welcome",
      version: 1,
      hub: HUB,
      epoch: EPOCH,
      auditHead: "head",
      device: { id: HUB, name: "a test", role: "driver", createdAt: 0, expiresAt: 1, you: true },
    });
  }

  /** Returns the first frame of that type that was not taken yet. */
  async take<T extends ClientFrame["type"]>(type: T): Promise<Extract<ClientFrame, { type: T }>> {
    const next = () => {
      const at = this.received.findIndex((frame) => frame.type === type);
      const [frame] = at < 0 ? [] : this.received.splice(at, 1);
      if (!frame && this.#closed) throw new Error(`closed before a frame ${type} came`);
      return frame as Extract<ClientFrame, { type: T }> | undefined;
    };
    return until(`a frame ${type} comes`, next, { seen: () => this.received });
  }

  close(code = 1012, reason = ""): void {
    this.#socket.close(code, reason);
  }

  get closed(): boolean {
    return this.#closed;
  }

  heard(frame: ClientFrame): void {
    this.received.push(frame);
  }

  ended(): void {
    this.#closed = true;
  }
}

/**
 * Starts a hub whose every answer is up to the test: real HTTP and a real WebSocket, without any
 * memory.
 */
export function scriptedHub(port = 0) {
  const calls: SeenCall[] = [];
  const answers = new Map<string, Answerer>();
  const waiting: Connection[] = [];
  const wanted: ((connection: Connection) => void)[] = [];
  const open = new Map<ServerWebSocket<unknown>, Connection>();
  const offered: string[] = [];

  const server: Server<undefined> = Bun.serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request, server) {
      const url = new URL(request.url);
      if (url.pathname === "/api/stream") {
        offered.push(request.headers.get("sec-websocket-protocol") ?? "");
        return server.upgrade(request) ? undefined : new Response("no", { status: 400 });
      }
      const text = await request.text();
      const call: SeenCall = {
        method: request.method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        command: request.headers.get("signalbox-command"),
        authorization: request.headers.get("authorization"),
        body: text === "" ? undefined : JSON.parse(text),
      };
      calls.push(call);
      const answer = await answers.get(`${call.method} ${call.path}`)?.(call);
      if (answer === "lost") return gatewayLost();
      return answer ?? problem(404, "not-found", `There is nothing at ${call.path}.`);
    },
    websocket: {
      open(socket) {
        const connection = new Connection(socket);
        open.set(socket, connection);
        const want = wanted.shift();
        if (want) want(connection);
        else waiting.push(connection);
      },
      message(socket, text) {
        open.get(socket)?.heard(JSON.parse(String(text)) as ClientFrame);
      },
      close(socket) {
        open.get(socket)?.ended();
        open.delete(socket);
      },
    },
  });

  let tickets = 0;
  const hub = {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    calls,
    /** The subprotocols of each upgrade. */
    offered,
    on(route: string, answer: Answerer) {
      answers.set(route, answer);
    },
    /** Waits for the next client that connects. */
    connection(): Promise<Connection> {
      const there = waiting.shift();
      if (there) return Promise.resolve(there);
      return within("a client connects", new Promise((resolve) => wanted.push(resolve)));
    },
    /** Waits for the next client that has sent its hello and was welcomed. */
    async welcomed(): Promise<Connection> {
      for (;;) {
        const connection = await hub.connection();
        const hello = await connection.take("hello").catch(() => undefined);
        if (!hello) continue; // The client closed the connection before its hello.
        connection.welcome();
        return connection;
      }
    },
    stop: () => server.stop(true),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  hub.on("POST /api/tickets", () => Response.json({ ticket: `ticket-${++tickets}` }));
  return hub;
}

export function problem(status: number, code: string, detail: string): Response {
  const body = { type: "about:blank", title: code, status, code, detail };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}

/** Creates the answer of a proxy whose hub accepted a request and stopped before it answered. */
function gatewayLost(): Response {
  return new Response("bad gateway", { status: 502 });
}
