import { isObject, type JsonObject } from "../json.ts";

/**
 * Handwritten checks of the most frequent messages, because a schema costs as much as the parse. A
 * test makes sure that each agrees with its schema. A message that fails here is checked again by
 * its schema, which explains what is wrong.
 */
export function isHot(type: unknown, body: JsonObject): boolean {
  switch (type) {
    case "stream_event":
      return isStreamEvent(body);
    case "assistant":
      return isAssistant(body);
    case "user":
      return isUser(body);
    case "result":
      return isResult(body);
    case "system":
      return body["subtype"] === "init" && isInit(body);
    default:
      return false;
  }
}

export function isStreamEvent(body: JsonObject): boolean {
  const event = body["event"];
  return isObject(event) && typeof event["type"] === "string" && isCommon(body) && isInLane(body);
}

function isAssistant(body: JsonObject): boolean {
  const message = body["message"];
  return (
    isObject(message) &&
    isContent(message["content"]) &&
    isTextOrNone(message["id"]) &&
    isTextOrNone(message["model"]) &&
    isUsageOrNone(message["usage"]) &&
    isTextOrNull(message["stop_reason"]) &&
    isCommon(body) &&
    isInLane(body) &&
    isTextOrNone(body["error"]) &&
    isTextOrNone(body["agent_id"]) &&
    isTextOrNone(body["subagent_type"])
  );
}

function isUser(body: JsonObject): boolean {
  const message = body["message"];
  return (
    isObject(message) &&
    typeof message["role"] === "string" &&
    isContent(message["content"]) &&
    isCommon(body) &&
    isInLane(body) &&
    isFlagOrNone(body["isReplay"]) &&
    isFlagOrNone(body["isSynthetic"])
  );
}

function isResult(body: JsonObject): boolean {
  const { is_error, errors } = body;
  return (
    isCommon(body) &&
    isTextOrNull(body["subtype"]) &&
    (is_error === null || isFlagOrNone(is_error)) &&
    isResultText(body["result"]) &&
    (errors === undefined || errors === null || Array.isArray(errors)) &&
    isCountOrNull(body["duration_ms"]) &&
    isCountOrNull(body["num_turns"]) &&
    isCountOrNull(body["total_cost_usd"]) &&
    isCountOrNull(body["cost_usd"]) &&
    isUsageOrNone(body["usage"]) &&
    isCountOrNull(body["total_input_tokens"]) &&
    isCountOrNull(body["total_output_tokens"]) &&
    isModelsOrNull(body["modelUsage"], "contextWindow") &&
    isModelsOrNull(body["model_usage"], "context_window") &&
    isTextOrNull(body["stop_reason"])
  );
}

function isInit(body: JsonObject): boolean {
  const { mcp_servers } = body;
  return (
    isCommon(body) &&
    typeof body["session_id"] === "string" &&
    isTextOrNone(body["cwd"]) &&
    isTextOrNone(body["model"]) &&
    isTextsOrNone(body["tools"]) &&
    (mcp_servers === undefined || (Array.isArray(mcp_servers) && mcp_servers.every(isServer))) &&
    isTextsOrNone(body["slash_commands"]) &&
    isTextOrNone(body["permissionMode"]) &&
    isTextOrNone(body["permission_mode"]) &&
    isTextOrNone(body["claude_code_version"]) &&
    isTextOrNone(body["apiKeySource"])
  );
}

function isCommon(body: JsonObject): boolean {
  return (
    isTextOrNone(body["uuid"]) &&
    isTextOrNone(body["session_id"]) &&
    isTextOrNone(body["timestamp"])
  );
}

function isInLane(body: JsonObject): boolean {
  return isTextOrNull(body["parent_tool_use_id"]);
}

function isContent(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every(isBlock));
}

function isBlock(value: unknown): boolean {
  return isObject(value) && typeof value["type"] === "string";
}

function isServer(value: unknown): boolean {
  return (
    isObject(value) && typeof value["name"] === "string" && typeof value["status"] === "string"
  );
}

function isResultText(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "string") return true;
  return isObject(value) && isTextOrNull(value["text"]) && isTextOrNull(value["session_id"]);
}

function isUsageOrNone(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    isObject(value) &&
    isCountOrNull(value["input_tokens"]) &&
    isCountOrNull(value["output_tokens"]) &&
    isCountOrNull(value["cache_creation_input_tokens"]) &&
    isCountOrNull(value["cache_read_input_tokens"])
  );
}

function isModelsOrNull(value: unknown, window: string): boolean {
  if (value === undefined || value === null) return true;
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) {
    const model = value[key];
    if (!isObject(model) || !isCountOrNull(model[window])) return false;
  }
  return true;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isTextOrNone(value);
}

function isFlagOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isCountOrNull(value: unknown): boolean {
  return value === undefined || value === null || Number.isFinite(value);
}

function isTextsOrNone(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isText));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
