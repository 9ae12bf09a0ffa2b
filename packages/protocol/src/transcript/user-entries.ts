import { isObject, type JsonObject } from "../json.ts";

const COMMAND = /^\s*<command-(?:name|message)>/;
const NAME = /<command-name>\s*\/?([^<]*?)\s*<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;
/** Tells the model how to read the output of a command. */
const CAVEAT = /^\s*<local-command-caveat>/;
const TASK_REPORT = /^\s*<task-notification>/;
/** Texts that the program writes in the user's name. */
const WRITTEN_BY_PROGRAM = /^\s*(?:<local-command-std|<task-notification>|\[Request interrupted)/;

/** The message that the program prints for an entry in the user's name. */
export function convertUser(entry: JsonObject, common: JsonObject): JsonObject | undefined {
  const message = entry["message"] as JsonObject;
  const { content } = message;
  const texts = readTexts(content);
  if (CAVEAT.test(texts)) return undefined;
  const base: JsonObject = { ...entry, ...common };
  if (isToolResult(content)) return withResultFacts(base, entry, content);
  if (entry["isMeta"] === true || entry["isCompactSummary"] === true) {
    return { ...base, isSynthetic: true };
  }
  // Where a task began, no entry tells which of its runs it was; so its report must not, either.
  if (TASK_REPORT.test(texts))
    return { ...base, origin: undefined, transcript_origin: entry["origin"] };
  if (common["parent_tool_use_id"] !== null || WRITTEN_BY_PROGRAM.test(texts)) return base;
  if (COMMAND.test(texts)) {
    return { ...base, isReplay: true, message: { ...message, content: formatCommand(texts) } };
  }
  return { ...base, isReplay: true };
}

function isToolResult(content: unknown): content is JsonObject[] {
  return (
    Array.isArray(content) &&
    content.some((part) => isObject(part) && part["type"] === "tool_result")
  );
}

function withResultFacts(
  base: JsonObject,
  entry: JsonObject,
  content: readonly JsonObject[],
): JsonObject {
  const { toolUseResult, toolDenialKind, permissionDecision } = entry;
  const result = content.find((part) => part["type"] === "tool_result");
  const meta = {
    id: result?.["tool_use_id"],
    ...(toolDenialKind !== undefined && { non_execution_kind: toolDenialKind }),
    ...(permissionDecision !== undefined && { permission_decision: permissionDecision }),
  };
  const hasMeta = toolDenialKind !== undefined || permissionDecision !== undefined;
  return {
    ...base,
    ...(toolUseResult !== undefined && { tool_use_result: toolUseResult }),
    ...(hasMeta && { tool_result_meta: [meta] }),
  };
}

/** A command as the person typed it. */
function formatCommand(text: string): string {
  const name = NAME.exec(text)?.[1] ?? "";
  const given = ARGUMENTS.exec(text)?.[1]?.trim() ?? "";
  return given === "" ? `/${name}` : `/${name} ${given}`;
}

/** Whether a converted message is a prompt of a person's in the main conversation. */
export function isPrompt(message: JsonObject): boolean {
  return (
    message["type"] === "user" &&
    message["isReplay"] === true &&
    message["queued"] !== true &&
    !WRITTEN_BY_PROGRAM.test(
      readTexts(isObject(message["message"]) ? message["message"]["content"] : ""),
    )
  );
}

/** Whether an entry only tells the model how to read the output of a command. */
export function isCaveat(entry: JsonObject): boolean {
  const { message } = entry;
  return isObject(message) && CAVEAT.test(readTexts(message["content"]));
}

/** Whether a task in the background reports with this message. */
export function isReport(message: JsonObject): boolean {
  const inner = isObject(message["message"]) ? message["message"] : {};
  return message["type"] === "user" && TASK_REPORT.test(readTexts(inner["content"]));
}

export function readTexts(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
