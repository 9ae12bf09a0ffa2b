import { parseObject } from "@signalbox/protocol/wire";
import type { Channel, Rpc, ServerConfig } from "./channel.ts";
import { eventsIn } from "./events.ts";
import { AnswerLate, cancelled, REQUEST_MS } from "./pending.ts";

/** The server does not know the session any more: it has begun anew. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
  override readonly message = "the MCP server has forgotten the session";
}

const LONGEST_COMPLAINT = 2000;

/** Streamable HTTP: each message is a POST; the answer is JSON, or events of which one is the answer. */
export function httpChannel(config: Extract<ServerConfig, { url: string }>): Channel {
  let next = 0;
  let sessionId: string | undefined;
  let version: string | undefined;
  const over = new AbortController();
  const post = async (message: Rpc, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(config.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...config.headers,
        ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
        ...(version === undefined ? {} : { "mcp-protocol-version": version }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    });
    sessionId = response.headers.get("mcp-session-id") ?? sessionId;
    if (!response.ok) {
      const said = (await response.text().catch(() => "")).slice(0, LONGEST_COMPLAINT);
      if (response.status === 404 && sessionId !== undefined) throw new SessionLost();
      throw new Error(`Error POSTing to endpoint: ${said || `HTTP ${response.status}`}`);
    }
    return response;
  };
  /** Nobody waits any more; that the server hears of it is no matter to anybody here. */
  const giveUp = async (id: number) => {
    const response = await post(cancelled(id, "interrupted")).catch(() => undefined);
    await response?.body?.cancel();
  };
  return {
    async request(method, params, options) {
      const id = next++;
      const late = AbortSignal.timeout(options?.timeoutMs ?? REQUEST_MS);
      const signal = options?.signal ? AbortSignal.any([options.signal, late]) : late;
      const answer = await post({ id, method, ...(params ? { params } : {}) }, signal)
        .then((response) => answerIn(response, id))
        .catch((cause: unknown) => {
          if (signal.aborted) void giveUp(id);
          throw late.aborted ? new AnswerLate() : cause;
        });
      if (answer.error) throw new Error(answer.error.message ?? "the MCP server refused");
      const agreed = (answer.result as { protocolVersion?: unknown } | undefined)?.protocolVersion;
      if (method === "initialize" && typeof agreed === "string") version = agreed;
      return answer.result;
    },
    async notify(method, params) {
      const response = await post({ method, ...(params ? { params } : {}) });
      await response.body?.cancel();
    },
    close() {
      over.abort();
    },
    closed: new Promise(() => {}), // requests stand alone: there is nothing to lose
  };
}

async function answerIn(response: Response, id: number): Promise<Rpc> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("application/json")) return (await response.json()) as Rpc;
  if (!type.includes("text/event-stream")) {
    await response.body?.cancel();
    throw new Error(`Unexpected content type: ${type}`);
  }
  for await (const { data } of eventsIn(response)) {
    const message = parseObject(data);
    if (typeof message !== "string" && message["id"] === id && !("method" in message)) {
      return message;
    }
  }
  throw new Error("the MCP server's stream ended without an answer");
}
