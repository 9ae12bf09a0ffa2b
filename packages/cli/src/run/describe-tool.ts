import { escapeForTerminal, type TextUse } from "@signalbox/protocol/text";
import { isObject } from "@signalbox/protocol";
import { hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { diffWithContext } from "./diff.ts";

/** How text is set: with which colours, and in how much room. */
export interface TextLayout {
  readonly style: Style;
  readonly columns: number;
  /** Files in it are named without it. */
  readonly folder?: string;
}
type Input = Readonly<Record<string, unknown>>;

/** The fields that say best what a call does, in the order in which they are looked for. */
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

/** What a tool call does, in one line's worth of text. */
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

/** The whole input, for a person who has to decide: text as text, the rest as JSON. */
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

/** What a call would change in a file, if that is what it does. */
interface FileChange {
  readonly before: string;
  readonly after: string;
  /** The fields that it was read from. */
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

/** Removed lines red, added ones green. No changed line is left out. */
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
  if (lines.at(-1) === "") lines.pop(); // a file's last line ends too
  return lines.map((text) => ({ sign: "+", text }) as const);
}

const marks: Readonly<Record<string, string>> = { completed: "☒", in_progress: "▸", pending: "☐" };

/** The agent's list of things to do, one line each. */
export function formatTodos(input: unknown): string[] {
  if (!isObject(input) || !Array.isArray(input["todos"])) return [];
  return input["todos"].map((todo: unknown) => {
    if (!isObject(todo)) return `? ${escapeForTerminal(JSON.stringify(todo))}`;
    const { status, content } = todo;
    return `${marks[String(status)] ?? "?"} ${escapeForTerminal(String(content)).replaceAll("\n", " ")}`;
  });
}

/** What a tool gave back, as text. */
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

export function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
