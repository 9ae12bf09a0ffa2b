import { isObject, type JsonObject } from "@signalbox/protocol/wire";

/** What a person sees of a line; undefined: nothing. */
export function shown(line: JsonObject): string | undefined {
  switch (line["type"]) {
    case "assistant":
      return typeof line["parent_tool_use_id"] === "string"
        ? undefined
        : blocks(line, assistantBlock);
    case "user":
      return line["isReplay"] === true ? undefined : blocks(line, resultBlock);
    case "result":
      return line["is_error"] === true ? failure(line) : undefined;
    case "system":
      return line["status"] === "compacting" ? "… the conversation is summed up" : undefined;
    default:
      return undefined;
  }
}

function blocks(
  line: JsonObject,
  show: (block: JsonObject) => string | undefined,
): string | undefined {
  const { message } = line;
  const content = isObject(message) ? message["content"] : undefined;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block) => (isObject(block) ? (show(block) ?? []) : []));
  return texts.length > 0 ? texts.join("\n") : undefined;
}

function assistantBlock(block: JsonObject): string | undefined {
  if (block["type"] === "text") return safe(String(block["text"]));
  if (block["type"] !== "tool_use") return undefined;
  return `● ${String(block["name"])} ${oneLine(JSON.stringify(block["input"]))}`;
}

function resultBlock(block: JsonObject): string | undefined {
  if (block["type"] !== "tool_result") return undefined;
  const { content } = block;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return `  ${block["is_error"] === true ? "✗" : "⎿"} ${oneLine(text)}`;
}

function failure(line: JsonObject): string {
  const errors = Array.isArray(line["errors"]) ? line["errors"].map(String) : [];
  const said = errors.filter((error) => !error.startsWith("["));
  if (String(line["terminal_reason"]).startsWith("aborted")) return "… interrupted";
  return safe(said.join("\n") || String(line["result"] ?? line["subtype"]));
}

const WIDTH = 160;

export function oneLine(text = ""): string {
  const flat = safe(text).replaceAll(/\s+/g, " ").trim();
  return flat.length > WIDTH ? `${flat.slice(0, WIDTH)}…` : flat;
}

// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without what would move the cursor, change the terminal, or let text be read in another order. */
export function safe(text: string): string {
  return text.replaceAll(steering, "");
}
