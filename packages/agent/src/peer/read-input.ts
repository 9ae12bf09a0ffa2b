import type { Decoded } from "@signalbox/protocol";
import {
  isObject,
  type JsonObject,
  type Line,
  lineText,
  parseObject,
} from "@signalbox/protocol/wire";
import { type EnvironmentUpdate, readEnvironmentUpdate } from "./environment-update.ts";
import { UnnamedRequests } from "./unnamed-requests.ts";

/** What a line from the host is. A line that is refused ends the program with 1. */
type HostLine =
  | { kind: "nothing" }
  /** The line is ignored, and the reason is written to the error stream. */
  | { kind: "passed over"; why: string }
  | { kind: "control"; decoded: Decoded }
  | { kind: "environment"; update: EnvironmentUpdate }
  | { kind: "prompt"; body: JsonObject; message: PromptMessage }
  | { kind: "refused"; text: string };

/**
 * Reads the three control envelopes like `decode` of the protocol, without loading all other
 * messages.
 */
function decodeControl(raw: string, body: JsonObject): Decoded {
  const why = findControlProblem(body);
  if (why === undefined) return { kind: "known", message: body as never, raw };
  return { kind: "drifted", type: String(body["type"]), why, body, raw };
}

function findControlProblem(body: JsonObject): string | undefined {
  const { request_id: id, request, response } = body;
  const isIdOrNone = id === undefined || typeof id === "string";
  switch (body["type"]) {
    case "control_request":
      if (!isIdOrNone) return "request_id is no text";
      return isObject(request) ? undefined : "request is no object";
    case "control_response":
      if (!isIdOrNone) return "request_id is no text";
      if (response === undefined) return undefined;
      if (!isObject(response)) return "response is no object";
      return ["subtype", "request_id", "error", "error_code"].every(
        (field) => response[field] === undefined || typeof response[field] === "string",
      )
        ? undefined
        : "a field of response is no text";
    default:
      return typeof id === "string" ? undefined : "request_id is no text";
  }
}

export interface PromptMessage {
  readonly role: "user";
  readonly content: string | readonly { type: string; [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

const SHOWN = 500; // How many characters of a bad line its error repeats.

/** Classifies a line from the host by Claude Code's rules, with its error messages. */
export function readHostLine(line: Line, unnamed = new UnnamedRequests()): HostLine {
  const text = lineText(line).replace(/^\uFEFF/, "");
  if (text.trim() === "") return { kind: "nothing" };
  if (typeof line !== "string" && line.flaws.droppedBytes !== undefined) {
    return unreadable(text, "the line is longer than we read");
  }
  const body = parseObject(text);
  if (typeof body === "string" && body.startsWith("nested deeper")) return readDeep(text, body);
  if (typeof body === "string") return refuseNoObject(text, body);
  switch (body["type"]) {
    case "keep_alive":
      return { kind: "nothing" };
    case "control_response":
    case "control_cancel_request":
      return { kind: "control", decoded: decodeControl(text, body) };
    case "control_request":
      if (body["request"]) return readRequest(text, body, unnamed);
      return { kind: "refused", text: "Error: Missing request on control_request" };
    case "assistant":
    case "system":
    case "result":
    case "stream_event":
      return { kind: "nothing" }; // An agent sends these messages, and a host does not.
    case "update_environment_variables":
      return { kind: "environment", update: readEnvironmentUpdate(body) };
    case "user":
      return readPrompt(body);
    default:
      return refuseType(body["type"]);
  }
}

function refuseType(type: unknown): HostLine {
  const text = `Error: Expected 'user' or 'control_request', got '${String(type)}'`;
  return { kind: "refused", text };
}

/** A request without a subtype is answered like one with an unknown subtype. */
function readRequest(text: string, body: JsonObject, unnamed: UnnamedRequests): HostLine {
  const inner = isObject(body["request"]) ? body["request"] : {};
  const request = { ...inner, subtype: String(inner["subtype"]) };
  const request_id = unnamed.name(body["request_id"]);
  return { kind: "control", decoded: decodeControl(text, { ...body, request_id, request }) };
}

function readPrompt(body: JsonObject): HostLine {
  const message = isObject(body["message"]) ? body["message"] : {};
  if (message["role"] !== "user") {
    const text = `Error: Expected role 'user', got '${String(message["role"])}'`;
    return { kind: "refused", text };
  }
  const { content = "" } = message;
  if (typeof content !== "string" && !isBlocks(content)) {
    const why = `A prompt was passed over: its content is neither text nor blocks, but '${typeof content}'.`;
    return { kind: "passed over", why };
  }
  return { kind: "prompt", body, message: { ...message, content } as unknown as PromptMessage };
}

function isBlocks(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.every((block) => isObject(block) && typeof block["type"] === "string")
  );
}

/**
 * Handles a line that is nested too deeply: a request is refused by the peer, and any other line is
 * ignored.
 */
function readDeep(text: string, why: string): HostLine {
  const decoded: Decoded = { kind: "noise", raw: text, why };
  if (/"type"\s*:\s*"control_request"/.test(text)) return { kind: "control", decoded };
  return { kind: "passed over", why: `A line was passed over: it is ${why} levels.` };
}

/** Raises the error that reading the type of such a line would raise. */
function refuseNoObject(text: string, flaw: string): HostLine {
  try {
    const { type } = JSON.parse(text) as { type?: unknown };
    return flaw === "not a JSON object" ? refuseType(type) : unreadable(text, flaw);
  } catch (failure) {
    return unreadable(text, String(failure).slice(0, 120)); // The error repeats text of the line.
  }
}

function unreadable(line: string, why: string): HostLine {
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}… (${line.length} characters)` : line;
  return { kind: "refused", text: `Error parsing streaming input line: ${shown}: ${why}` };
}
