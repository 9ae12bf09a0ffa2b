import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { makeSafe } from "./screen-text.ts";
import { callText, indentLines } from "./tool-text.ts";

/** How a line stands out: what the agent does, how it went, what went wrong. */
export type Style = "plain" | "dim" | "bold";
interface RenderedMessage {
  readonly text: string;
  readonly style: Style;
}

/**
 * Renders a line for a person, except the model's text, which is shown as it streams. `quiet`
 * contains the calls whose results are of no interest to a person.
 */
export function renderMessage(line: JsonObject, quiet: Set<unknown>): RenderedMessage[] {
  switch (line["type"]) {
    case "assistant":
      return getBlocks(line).flatMap((block) => {
        if (quietTools.has(block["name"])) quiet.add(block["id"]);
        return renderCall(block, isSubagents(line));
      });
    case "user":
      if (line["isReplay"] === true || isSubagents(line)) return [];
      return getBlocks(line).flatMap((block) => results(block, quiet.delete(block["tool_use_id"])));
    case "result":
      return line["is_error"] === true ? [failure(line)] : [];
    case "system":
      return renderNotice(line);
    default:
      return [];
  }
}

/** Returns the texts of an answer, for those that did not stream. */
export function getTexts(line: JsonObject): string[] {
  if (line["type"] !== "assistant" || isSubagents(line)) return [];
  return getBlocks(line).flatMap(({ type, text }) => (type === "text" ? [String(text)] : []));
}

export function isSubagents(line: JsonObject): boolean {
  return typeof line["parent_tool_use_id"] === "string";
}

function getBlocks({ message }: JsonObject): JsonObject[] {
  const content = isObject(message) ? message["content"] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Tools whose calls are not listed, because the terminal shows them as a question. */
const asking: ReadonlySet<unknown> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Tools whose successful results are only meant for the model. */
const quietTools: ReadonlySet<unknown> = new Set([
  ...asking,
  "Edit",
  "EnterPlanMode",
  "NotebookEdit",
  "TodoWrite",
  "Write",
]);

function renderCall(block: JsonObject, isInner: boolean): RenderedMessage[] {
  if (block["type"] !== "tool_use" || asking.has(block["name"])) return [];
  const input = isObject(block["input"]) ? block["input"] : {};
  const text = callText(String(block["name"]), input);
  return [isInner ? { text: `    ● ${text}`, style: "dim" } : { text: `● ${text}`, style: "bold" }];
}

const MAX_LINES = 5;
/**
 * Matches what the model is told about a call that a person stopped or refused. The person knows
 * that already.
 */
const STOPPED = /^The user doesn't want to (?:proceed|take)[^]*/;

function results(block: JsonObject, isQuiet: boolean): RenderedMessage[] {
  const isError = block["is_error"] === true;
  if (block["type"] !== "tool_result" || (isQuiet && !isError)) return [];
  const text = resultText(block["content"]).replace(STOPPED, "stopped");
  const all = indentLines(text === "" ? "(nothing)" : text, "    ", MAX_LINES);
  return [{ text: `  ${isError ? "✗" : "⎿"}${all.slice(3)}`, style: isError ? "plain" : "dim" }];
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isObject)
    .map(({ type, text }) => (type === "text" ? String(text) : `[${String(type)}]`))
    .join("\n");
}

function renderNotice(line: JsonObject): RenderedMessage[] {
  if (line["subtype"] === "api_retry") return [{ text: retryText(line), style: "dim" }];
  if (line["subtype"] === "compact_boundary") {
    return [{ text: "… it goes on from the summary", style: "dim" }];
  }
  if (line["status"] === "compacting") {
    return [{ text: "… the conversation is summed up", style: "dim" }];
  }
  return [];
}

function retryText({ attempt, max_retries, retry_delay_ms, error_status }: JsonObject): string {
  const why =
    error_status === 401 || error_status === 403
      ? `The model's server does not accept the key (${error_status})`
      : typeof error_status === "number"
        ? `The model's server answered ${error_status}`
        : "The model's server cannot be reached";
  const seconds = Math.max(1, Math.round(Number(retry_delay_ms) / 1000));
  return `… ${why}. Trying again in ${seconds} s (${String(attempt)} of ${String(max_retries)}; Ctrl-C stops)`;
}

function failure(line: JsonObject): RenderedMessage {
  const errors = Array.isArray(line["errors"]) ? line["errors"].map(String) : [];
  const visibleErrors = errors.filter((error) => !error.startsWith("["));
  if (String(line["terminal_reason"]).startsWith("aborted")) {
    return { text: "… interrupted", style: "dim" };
  }
  return {
    text: `✗ ${makeSafe(visibleErrors.join("\n") || String(line["result"] ?? line["subtype"]))}`,
    style: "plain",
  };
}
