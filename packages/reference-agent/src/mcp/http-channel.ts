import { deferred, isObject } from "@signalbox/protocol/wire";
import { type Channel, getRequest, type Rpc, type ServerConfig } from "./channel.ts";
import { reach, getRefusal, Unreachable } from "./http-failure.ts";
import { followAnswer, followServer, type Streams } from "./http-streams.ts";
import { createCancelNotification, Pending } from "./pending.ts";
import { type Listener, ServerMessages } from "./server-messages.ts";

const MAX_IN_VAIN = 2;

/**
 * Creates a channel over Streamable HTTP: each message is a POST, answered with JSON or with a
 * stream on which the server may send requests. The server's own messages come over a separate
 * stream, if it offers one.
 */
export function httpChannel(
  config: Extract<ServerConfig, { url: string }>,
  listener: Listener,
): Channel {
  let sessionId: string | undefined;
  let version: string | undefined;
  const over = new AbortController();
  const sessionClosed = deferred<void>();
  let inVain = 0;
  /** Sends a request. A server that cannot be reached twice in a row counts as gone. */
  const request = async (init: RequestInit): Promise<Response> => {
    try {
      const response = await reach(config.url, init);
      inVain = 0;
      return response;
    } catch (cause) {
      if (cause instanceof Unreachable && ++inVain === MAX_IN_VAIN) sessionClosed.resolve();
      throw cause;
    }
  };
  const headers = (own: Record<string, string>) => ({
    ...own,
    ...config.headers,
    ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
    ...(version === undefined ? {} : { "mcp-protocol-version": version }),
  });
  const post = async (message: Rpc, signal = over.signal): Promise<Response> => {
    const response = await request({
      method: "POST",
      headers: headers({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      }),
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal,
    });
    if (!response.ok) throw await getRefusal(response, config.url, sessionId !== undefined);
    sessionId = response.headers.get("mcp-session-id") ?? sessionId;
    return response;
  };
  /** Sends a notification without waiting, because the server may be gone. */
  const tell = (message: Rpc) =>
    void post(message).then(
      ({ body }) => body?.cancel(),
      () => {},
    );
  const pending = new Pending((id, reason) => tell(createCancelNotification(id, reason)));
  const serverMessages = new ServerMessages(listener, tell);
  const take = (message: Rpc) =>
    message.method === undefined ? pending.take(message) : serverMessages.take(message);
  const streams = (signal: AbortSignal): Streams => ({
    take,
    signal,
    get: (after) =>
      request({
        headers: headers({
          accept: "text/event-stream",
          ...(after === undefined ? {} : { "last-event-id": after }),
        }),
        signal,
      }),
  });
  const ask = async (message: Rpc & { id: number }, signal: AbortSignal): Promise<void> => {
    const response = await post(message, signal);
    const type = response.headers.get("content-type") ?? "";
    if (type.includes("application/json")) {
      const responseBody: unknown = await response.json();
      for (const one of Array.isArray(responseBody) ? responseBody : [responseBody])
        if (isObject(one)) take(one);
    } else if (type.includes("text/event-stream")) {
      await followAnswer(response, streams(signal), () => !pending.has(message.id));
    } else {
      await response.body?.cancel();
      throw new Error(`Unexpected content type: ${type}`);
    }
    if (pending.has(message.id)) {
      throw new Error("the MCP server's stream ended without an answer");
    }
  };
  return {
    async request(method, params, options) {
      const { id, answer } = pending.open(options);
      const left = new AbortController(); // Nobody waits for it any more.
      answer.catch(() => left.abort());
      const signal = AbortSignal.any([left.signal, over.signal]);
      ask(getRequest(id, method, params), signal).catch((why: Error) => pending.fail(id, why));
      const result = await answer;
      if (method === "initialize") version = versionIn(result);
      return result;
    },
    async notify(method, params) {
      const response = await post({ method, ...(params ? { params } : {}) });
      await response.body?.cancel();
      if (method === "notifications/initialized")
        followServer(streams(over.signal)).catch(() => {}); // The server offers no such stream.
    },
    close() {
      over.abort();
    },
    closed: sessionClosed.promise,
  };
}

function versionIn(hello: unknown): string | undefined {
  const agreed = isObject(hello) ? hello["protocolVersion"] : undefined;
  return typeof agreed === "string" ? agreed : undefined;
}
