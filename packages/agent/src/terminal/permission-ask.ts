import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { toSingleLine, makeSafe } from "./screen-text.ts";
import { callDetails, indentLines } from "./tool-text.ts";

/**
 * Renders a request with every detail that a person needs to decide, and how it can be answered.
 */
export function askText(request: JsonObject): string {
  const tool = String(request["tool_name"]);
  const input = isObject(request["input"]) ? request["input"] : {};
  if (tool === "ExitPlanMode") return planText(input);
  const { decision_reason: reason, agent_id: agent } = request;
  const who = typeof agent === "string" ? "A subagent" : "The agent";
  const name = makeSafe(tool).replace(/^mcp__(.+?)__(.+)$/, "$2 of the MCP server $1");
  return [
    `▲ ${who} wants to use ${name}:`,
    callDetails(tool, input),
    ...(typeof reason === "string" ? [`  Asked because: ${toSingleLine(reason)}`] : []),
    "  y  yes",
    ...[...getLastingSuggestions(request)].map(
      ([key, all]) => `  ${key}  yes, and always: ${describeSuggestions(all)}`,
    ),
    "  n  no, and stop; or say what to do instead",
  ].join("\n");
}

function planText({ plan }: JsonObject): string {
  return [
    "▲ The plan:",
    indentLines(typeof plan === "string" ? plan : "(It was not written down.)", "    "),
    "  y  go ahead",
    "  a  go ahead, and edit without asking",
    "  n  no, and stop; or say what to change",
  ].join("\n");
}

/** Returns the prompt before the answer. */
export function askPrompt(request: JsonObject): string {
  return request["tool_name"] === "ExitPlanMode" ? "Go ahead? " : "Allow? ";
}

/**
 * Reads a decision. Returns undefined if the text is not an answer. Without text, the person left
 * or stopped it.
 */
export function readDecision(reply: string | undefined, request: JsonObject): object | undefined {
  const input = isObject(request["input"]) ? request["input"] : {};
  if (reply === undefined)
    return { behavior: "deny", message: "The person at the terminal did not answer." };
  const answer = reply.trim();
  if (/^y(?:es)?$/i.test(answer)) return { behavior: "allow", updatedInput: input };
  const updatedPermissions = getLastingSuggestions(request).get(answer.toLowerCase());
  if (updatedPermissions) return { behavior: "allow", updatedInput: input, updatedPermissions };
  if (/^[a-z]$/i.test(answer) && !/n/i.test(answer)) return undefined;
  // A plain "no" ends the turn, because the person has to say what to do instead.
  if (/^(?:no?)?$/i.test(answer))
    return { behavior: "deny", message: "The person at the terminal said no.", interrupt: true };
  return { behavior: "deny", message: `The person at the terminal said no, and: ${answer}` };
}

const acceptEdits = { type: "setMode", mode: "acceptEdits", destination: "session" };

/**
 * Collects what may be allowed permanently, by the key to type: rules, and suggestions that go
 * further than the call.
 */
function getLastingSuggestions(request: JsonObject): Map<string, JsonObject[]> {
  const { permission_suggestions: given, tool_name: tool } = request;
  const all = Array.isArray(given) ? given.filter(isObject) : [];
  const suggestions = tool === "ExitPlanMode" ? [acceptEdits] : all;
  const isRule = ({ type }: JsonObject) => type === "addRules";
  const groups = [suggestions.filter(isRule), suggestions.filter((one) => !isRule(one))];
  const keys = ["a", "e"];
  return new Map(
    groups.filter(({ length }) => length > 0).map((group, at) => [keys[at] ?? "", group]),
  );
}

const places: Readonly<Record<string, string>> = {
  session: "in this session",
  localSettings: "in this folder, from now on",
  projectSettings: "in this folder, for all who work on it",
  userSettings: "in all your folders, from now on",
};

/**
 * Describes suggestions: `Bash(touch:*) in this folder, from now on; edits without asking in this
 * session`.
 */
function describeSuggestions(suggestions: readonly JsonObject[]): string {
  return suggestions
    .map((one) => `${suggestionText(one)} ${places[String(one["destination"])] ?? ""}`.trim())
    .join("; ");
}

function suggestionText({ type, rules, mode, directories }: JsonObject): string {
  if (type === "setMode")
    return mode === "acceptEdits" ? "edits without asking" : `mode ${makeSafe(String(mode))}`;
  if (type === "addDirectories") return `work in ${texts(directories).map(makeSafe).join(", ")}`;
  const named = (Array.isArray(rules) ? rules.filter(isObject) : []).map(
    ({ toolName, ruleContent }) =>
      makeSafe(
        typeof ruleContent === "string" ? `${String(toolName)}(${ruleContent})` : String(toolName),
      ),
  );
  return named.join(", ");
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
