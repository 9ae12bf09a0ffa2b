import { escapeForTerminal } from "@signalbox/protocol/text";
import { wrapLines, truncate, excerpt } from "../terminal/layout.ts";
import {
  readFileChange,
  formatFileChange,
  type TextLayout,
  formatTodos,
  summarizeToolInput,
} from "./describe-tool.ts";

const CALL_LINES = 3;
const MARGIN = "    ";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** Formats a tool call and, below it, its changes. */
export function formatCall({ name, input }: ToolCall, margin: string, look: TextLayout): string[] {
  const { style, columns } = look;
  const first = `${margin}${style.cyan("●")} ${style.bold(joinLines(escapeForTerminal(name)))} `;
  const room = columns - margin.length - MARGIN.length;
  const change = readFileChange(input);
  const beneath = change
    ? formatFileChange(change, { style, columns: Infinity })
    : formatTodos(input);
  return [
    ...fitLines(
      joinLines(escapeForTerminal(summarizeToolInput(input, look.folder))),
      first,
      `${margin}${MARGIN}`,
      columns,
    ),
    ...excerpt(beneath, 8, 3).map((line) => `${margin}${MARGIN}${truncate(line, room)}`),
  ];
}

/** Repeats a call above its result, if something else was printed in between. */
export function formatRepeatedCall(
  { name, input }: ToolCall,
  margin: string,
  look: TextLayout,
): string {
  const text = `${margin}↳ ${escapeForTerminal(name)} ${joinLines(escapeForTerminal(summarizeToolInput(input, look.folder)))}`;
  return look.style.dim(truncate(joinLines(text), look.columns));
}

/** Formats a result: a short text whole, of a long one the beginning and the end. */
export function formatResult(
  text: string,
  { call, failed }: { call: ToolCall | undefined; failed: boolean },
  margin: string,
  { style, columns }: TextLayout,
): string[] {
  if (call && !failed && formatTodos(call.input).length > 0) return []; // the list itself is the result
  const lines = escapeForTerminal(text).trimEnd().split("\n");
  const brief = call && !failed && readFileChange(call.input) ? lines.slice(0, 1) : lines;
  const paint = failed ? style.red : style.dim;
  return excerpt(brief, 5, 3).map((line, i) => {
    const bracket = i === 0 ? "  ⎿ " : MARGIN;
    return paint(
      truncate(`${margin}${bracket}${line === "" && i === 0 ? "(no output)" : line}`, columns),
    );
  });
}

/** Wraps a text to a few indented lines. */
function fitLines(text: string, first: string, rest: string, columns: number): string[] {
  const used = Bun.stringWidth(first);
  if (text === "") return [first.trimEnd()];
  if (columns === Infinity) return [first + truncate(text, columns)];
  const [head = "", ...more] = wrapLines(text, Math.max(10, columns - used));
  if (more.length === 0) return [first + head];
  const tail = wrapLines(text.slice(head.length).trimStart(), columns - rest.length);
  const shown = tail.slice(0, CALL_LINES - 1);
  if (tail.length > shown.length)
    shown.push(`${truncate(shown.pop() ?? "", columns - rest.length - 1)}…`);
  return [first + head, ...shown.map((line) => rest + line)];
}

function joinLines(text: string): string {
  return text.trimEnd().replaceAll(/\s*\n\s*/g, " ⏎ ");
}
