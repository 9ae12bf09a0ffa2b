import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { toSingleLine, makeSafe } from "./screen-text.ts";

/** The field of a tool's input that describes best what the call does. */
const summaryFields: Readonly<Record<string, string>> = {
  Bash: "command",
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  NotebookEdit: "notebook_path",
  Glob: "pattern",
  Grep: "pattern",
  WebFetch: "url",
  WebSearch: "query",
  Agent: "description",
  Task: "description",
  Skill: "skill",
  TaskOutput: "task_id",
  TaskStop: "task_id",
};

/** Renders a call in one line: `Bash ls -la`. */
export function callText(name: string, input: JsonObject): string {
  const field = summaryFields[name];
  const fieldValue = field === undefined ? undefined : input[field];
  if (name === "TodoWrite" && Array.isArray(input["todos"])) return todoText(input["todos"]);
  const title = makeSafe(name).replace(/^mcp__(.+?)__/, "$1: ");
  if (typeof fieldValue === "string") return `${title} ${toSingleLine(fieldValue)}`;
  return Object.keys(input).length === 0
    ? title
    : `${title} ${toSingleLine(JSON.stringify(input))}`;
}

const marks: Readonly<Record<string, string>> = { completed: "✔", in_progress: "▸" };

function todoText(todos: readonly unknown[]): string {
  const rows = todos
    .filter(isObject)
    .map(
      ({ status, content }) =>
        `    ${marks[String(status)] ?? "·"} ${toSingleLine(String(content))}`,
    );
  return ["To do", ...rows].join("\n");
}

const MAX_LINES = 20;

/** Lists everything that a person has to know about a call before they allow it. */
export function callDetails(name: string, input: JsonObject): string {
  const text = (field: string) => {
    const value = input[field];
    return typeof value === "string" ? value : "";
  };
  switch (name) {
    case "Bash":
      return [
        indentLines(text("command"), "    "),
        ...(input["description"] ? [`  ${toSingleLine(text("description"))}`] : []),
      ].join("\n");
    case "Write":
      return `    ${makeSafe(text("file_path"))}\n${indentLines(text("content"), "    + ", MAX_LINES)}`;
    case "Edit":
      return [
        `    ${makeSafe(text("file_path"))}${input["replace_all"] === true ? " (everywhere)" : ""}`,
        indentLines(text("old_string"), "    - ", MAX_LINES),
        indentLines(text("new_string"), "    + ", MAX_LINES),
      ].join("\n");
    default:
      return fieldsText(input);
  }
}

function fieldsText(input: JsonObject): string {
  return Object.entries(input)
    .map(([name, value]) => {
      const valueText = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
      return valueText.includes("\n")
        ? `    ${makeSafe(name)}:\n${indentLines(valueText, "      ", MAX_LINES)}`
        : `    ${makeSafe(name)}: ${makeSafe(valueText)}`;
    })
    .join("\n");
}

/** Renders the first of many lines behind a mark. */
export function indentLines(text: string, mark: string, most = Infinity): string {
  const lines = makeSafe(text).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, most).map((line) => mark + line);
  const more = lines.length - shown.length;
  if (more > 0)
    shown.push(`${" ".repeat(mark.length)}… ${more} more ${more === 1 ? "line" : "lines"}`);
  return shown.join("\n");
}
