import { escapeForTerminal, type TextUse } from "@signalbox/protocol/text";
import { isObject } from "@signalbox/protocol/wire";
import { hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { diffWithContext } from "./diff.ts";

/** How text is laid out: its colors and its width. */
export interface TextLayout {
  readonly style: Style;
  readonly columns: number;
  /** Paths of files in this folder are shown relative to it. */
  readonly folder?: string;
}
type Input = Readonly<Record<string, unknown>>;

/** The fields that describe a call best, in the order in which they are tried. */
const summaryFields = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "description",
  "skill",
  "prompt",
  "plan",
];

/** Summarizes the input of a tool call in one line. */
export function summarizeToolInput(input: unknown, folder = ""): string {
  if (!isObject(input)) return "";
  for (const field of summaryFields) {
    const value = input[field];
    if (typeof value !== "string" || value === "") continue;
    const inside = field.endsWith("_path") && folder !== "" && value.startsWith(`${folder}/`);
    return inside ? value.slice(folder.length + 1) : value;
  }
  const { questions, todos } = input;
  if (Array.isArray(questions)) return formatCount(questions.length, "question");
  if (Array.isArray(todos)) return formatCount(todos.length, "item");
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}

/** Formats the whole input for a person who has to decide: text as text, the rest as JSON. */
export function formatToolInput(input: Input, { style, columns }: TextLayout): string[] {
  const change = readFileChange(input);
  const fields = Object.entries(input).filter(([field]) => !change?.fields.includes(field));
  const shown = fields.flatMap(([field, value]) => {
    const text = escapeForTerminal(
      typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "null"),
      "decision",
    );
    const label = `${escapeForTerminal(field, "decision")}:`;
    if (text.includes("\n") || label.length > 20) {
      return [hangIndent(label, "", columns), hangIndent(text, "  ", columns, "  ")];
    }
    return [hangIndent(text, `${style.dim(label)} `, columns, "  ")];
  });
  return [
    ...shown,
    ...(change ? formatFileChange(change, { style, columns }, "decision") : []),
  ].flatMap((text) => text.split("\n"));
}

/** The change that a call would make to a file. */
interface FileChange {
  readonly before: string;
  readonly after: string;
  /** The input fields that contain the change. */
  readonly fields: readonly string[];
}

export function readFileChange(input: unknown): FileChange | undefined {
  if (!isObject(input) || typeof input["file_path"] !== "string") return undefined;
  const { old_string: before, new_string: after, content } = input;
  if (typeof before === "string" && typeof after === "string") {
    return { before, after, fields: ["old_string", "new_string"] };
  }
  if (typeof content !== "string") return undefined;
  return { before: "", after: content, fields: ["content"] };
}

/** Shows removed lines in red and added lines in green. No changed line is left out. */
export function formatFileChange(
  { before, after }: FileChange,
  { style, columns }: TextLayout,
  use: TextUse = "prose",
): string[] {
  const paint = { "-": style.red, "+": style.green, " ": style.dim, "…": style.dim };
  const lines = before === "" ? additions(after) : diffWithContext(before, after);
  return lines.map(({ sign, text }) =>
    hangIndent(escapeForTerminal(text, use), `${sign} `, columns)
      .split("\n")
      .map(paint[sign])
      .join("\n"),
  );
}

function additions(text: string) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop(); // the last line of a file ends with a line break
  return lines.map((text) => ({ sign: "+", text }) as const);
}

const marks: Readonly<Record<string, string>> = { completed: "☒", in_progress: "▸", pending: "☐" };

/** Formats the agent's to-do list, one line per item. */
export function formatTodos(input: unknown): string[] {
  if (!isObject(input) || !Array.isArray(input["todos"])) return [];
  return input["todos"].map((todo: unknown) => {
    if (!isObject(todo)) return `? ${escapeForTerminal(JSON.stringify(todo))}`;
    const { status, content } = todo;
    return `${marks[String(status)] ?? "?"} ${escapeForTerminal(String(content)).replaceAll("\n", " ")}`;
  });
}

/** The result of a tool as text. */
export function formatToolResult(content: unknown): string {
  if (typeof content === "string") {
    return content.replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, "$1");
  }
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content
    .map((block: unknown) => {
      if (isObject(block) && typeof block["text"] === "string") return block["text"];
      return isObject(block) ? `[${String(block["type"])}]` : String(block);
    })
    .join("\n");
}

export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
