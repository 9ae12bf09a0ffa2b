import { isObject } from "../json.ts";
import type { Decoded, Message } from "../messages/decode.ts";

export type ControlAnswer =
  | { requestId: string; ok: true; value: unknown }
  | { requestId: string; ok: false; error: string; unsupported: boolean };

/** Reads an answer in any of the shapes that programs and front ends send. */
export function readAnswer(message: Message<"control_response">): ControlAnswer | undefined {
  const { response } = message;
  const requestId = response?.request_id ?? message.request_id;
  if (requestId === undefined) return undefined;
  if (message.permission) {
    const value = message.permission.allow === true ? { behavior: "allow" } : { behavior: "deny" };
    return { requestId, ok: true, value };
  }
  if (!response) return undefined;
  if (response.subtype === "error") {
    return {
      requestId,
      ok: false,
      error: response.error ?? "no reason was given",
      unsupported: response.error_code === "unsupported_request",
    };
  }
  const value = "response" in response ? response["response"] : response["result"];
  return { requestId, ok: true, value: value ?? {} };
}

/** The error with which Claude Code refuses a second `initialize` (seen on 2.1.7). */
export const ALREADY_INITIALIZED = "Already initialized";

/**
 * The requests, as lines, that an agent is still waiting for. An agent lists them when it is
 * initialized again and does not send them again by itself.
 */
export function readPendingRequests(line: Decoded): string[] {
  if (line.kind !== "known" || line.message.type !== "control_response") return [];
  const { response } = line.message;
  if (response?.error !== ALREADY_INITIALIZED) return [];
  const waiting: unknown = response["pending_permission_requests"];
  return Array.isArray(waiting) ? waiting.map((each) => JSON.stringify(each)) : [];
}

/** Describes a control message that does not match its schema, as far as it can be read. */
interface MalformedRequest {
  readonly type: "control_request" | "control_response";
  readonly requestId: string;
  readonly why: string;
}

export function readMalformedRequest(
  line: Exclude<Decoded, { kind: "known" }>,
): MalformedRequest | undefined {
  if (line.kind === "drifted") {
    const { type, body, why } = line;
    if (type !== "control_request" && type !== "control_response") return undefined;
    const inner = isObject(body["response"]) ? body["response"]["request_id"] : undefined;
    const requestId =
      type === "control_response" ? (inner ?? body["request_id"]) : body["request_id"];
    return typeof requestId === "string" ? { type, requestId, why } : undefined;
  }
  if (line.kind !== "noise" || !/^(?:nested deeper|too long)/.test(line.why)) return undefined;
  // The line is too deep or too long to be parsed, but the other side may be waiting for an answer.
  // The start and the end of the line tell which request it is.
  const ends = line.raw.slice(0, 2000) + line.raw.slice(-2000);
  if (!/"type"\s*:\s*"control_request"/.test(ends)) return undefined;
  const requestId = /"request_id"\s*:\s*"([^"\\]+)"/.exec(ends)?.[1];
  return requestId === undefined
    ? undefined
    : { type: "control_request", requestId, why: line.why };
}

/**
 * The only shape of an answer that Claude Code understands. An empty answer has no `response`
 * field.
 */
export function answerLine(requestId: string, value: unknown): string {
  const response = { subtype: "success", request_id: requestId, response: value };
  return JSON.stringify({ type: "control_response", response });
}

export function refusalLine(
  requestId: string,
  error: string,
  errorCode?: string,
  fields: object = {},
): string {
  const code = errorCode === undefined ? {} : { error_code: errorCode };
  const response = { subtype: "error", request_id: requestId, error, ...code, ...fields };
  return JSON.stringify({ type: "control_response", response });
}

export function requestLine(requestId: string, request: object): string {
  return JSON.stringify({ type: "control_request", request_id: requestId, request });
}

export function cancelLine(requestId: string): string {
  return JSON.stringify({ type: "control_cancel_request", request_id: requestId });
}

/** A handler throws this to refuse a request with a code that programs can check. */
export class ControlRefusal extends Error {
  override readonly name = "Refusal";
  readonly errorCode: string | undefined;
  /** More fields of the refusal, by name. */
  readonly fields: object;

  constructor(message: string, errorCode?: string, more: object = {}) {
    super(message);
    this.errorCode = errorCode;
    this.fields = more;
  }

  static unsupported(subtype: string): ControlRefusal {
    return new ControlRefusal(
      `Unsupported control request subtype: ${subtype}`,
      "unsupported_request",
    );
  }
}
