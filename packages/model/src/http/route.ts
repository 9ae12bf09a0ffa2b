import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Attempts } from "../conversation/attempts.ts";
import { readRequest } from "../conversation/request.ts";
import type { Script } from "../script/types.ts";
import { answerMessages } from "./messages.ts";
import { type RecordedRequest, removeCredentials } from "./recent-requests.ts";
import { refuse } from "./refuse.ts";

type Setting = {
  script: Script;
  chunkDelayMs: number;
  record: (request: RecordedRequest, chars: number) => void;
};
export type Exchange = { request: IncomingMessage; response: ServerResponse; signal: AbortSignal };

/** Makes the function that answers every request to the server. */
export function route(setting: Setting): (exchange: Exchange) => Promise<void> {
  const attempts = new Attempts();
  return async ({ request, response, signal }) => {
    const { method = "GET", url = "/", headers } = request;
    const requestId = newId("req_");
    response.setHeader("request-id", requestId);
    const deny = (status: number, type: string, message: string) =>
      refuse(response, { status, type, message }, requestId);
    const raw = await text(request);
    const [path = ""] = url.split("?", 1);
    if (method === "GET" && path === "/v1/models") return json(response, models);
    if (method !== "POST" || (path !== "/v1/messages" && path !== "/v1/messages/count_tokens")) {
      return deny(404, "not_found_error", `Not found: ${method} ${path}`);
    }
    const body = parse(raw);
    if (body === undefined) return deny(400, "invalid_request_error", "The body is not JSON");
    if (path !== "/v1/messages") return json(response, { input_tokens: countTokens(raw) });
    setting.record({ path: url, headers: removeCredentials(headers), body }, raw.length);
    const read = readRequest(body);
    if ("why" in read) return deny(400, "invalid_request_error", read.why);
    const envelope = { inputTokens: countTokens(raw), chunkDelayMs: setting.chunkDelayMs, newId };
    const asked = { request: read, response, requestId, envelope, signal };
    await answerMessages(setting.script, attempts, asked);
  };
}

function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "").slice(0, 24);
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** About as many tokens as a text has, by the usual four characters for one. */
function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

const model = {
  type: "model",
  id: "claude-scripted",
  display_name: "Scripted model",
  created_at: "2025-01-01T00:00:00Z",
};
const models = { data: [model], has_more: false, first_id: model.id, last_id: model.id };
