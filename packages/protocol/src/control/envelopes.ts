import { isObject } from "../json.ts";
import type { Message } from "../messages/decode.ts";

export type Answer =
  | { requestId: string; ok: true; value: unknown }
  | { requestId: string; ok: false; error: string; unsupported: boolean; pending: unknown[] };

/** Reads an answer in any of the shapes that programs and front ends send. */
export function readAnswer(message: Message<"control_response">): Answer | undefined {
  const { response } = message;
  const requestId = response?.request_id ?? message.request_id;
  if (requestId === undefined) return undefined;
  if (message.permission) {
    const value = message.permission.allow === true ? { behavior: "allow" } : { behavior: "deny" };
    return { requestId, ok: true, value };
  }
  if (!response) return undefined;
  if (response.subtype === "error") {
    const pending = response["pending_permission_requests"];
    return {
      requestId,
      ok: false,
      error: response.error ?? "no reason was given",
      unsupported: response.error_code === "unsupported_request",
      pending: Array.isArray(pending) ? pending : [],
    };
  }
  const value = "response" in response ? response["response"] : response["result"];
  return { requestId, ok: true, value: value ?? {} };
}

/** The one shape of an answer that Claude Code understands. */
export function answerLine(requestId: string, value: unknown): string {
  const response = { subtype: "success", request_id: requestId, response: value };
  return JSON.stringify({ type: "control_response", response });
}

export function refusalLine(requestId: string, error: string, errorCode?: string): string {
  const code = errorCode === undefined ? {} : { error_code: errorCode };
  const response = { subtype: "error", request_id: requestId, error, ...code };
  return JSON.stringify({ type: "control_response", response });
}

export function requestLine(requestId: string, request: object): string {
  return JSON.stringify({ type: "control_request", request_id: requestId, request });
}

export function cancelLine(requestId: string): string {
  return JSON.stringify({ type: "control_cancel_request", request_id: requestId });
}

/** What a handler's failure says on the wire. */
export function failureText(failure: unknown): string {
  if (failure instanceof Error) return failure.message;
  return isObject(failure) ? JSON.stringify(failure) : String(failure);
}
