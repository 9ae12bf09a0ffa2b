import { escapeForTerminal } from "@signalbox/protocol/text";
import { broken, clip, excerpt } from "../terminal/layout.ts";
import { changeIn, changeLines, type Look, todoLines, toolLine } from "./describe-tool.ts";

const CALL_LINES = 3;
const MARGIN = "    ";

export interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** A tool call: what it is, and beneath it what it changes. */
export function callLines({ name, input }: Call, margin: string, look: Look): string[] {
  const { style, columns } = look;
  const first = `${margin}${style.cyan("●")} ${style.bold(oneLine(escapeForTerminal(name)))} `;
  const room = columns - margin.length - MARGIN.length;
  const change = changeIn(input);
  const beneath = change ? changeLines(change, { style, columns: Infinity }) : todoLines(input);
  return [
    ...fitted(
      oneLine(escapeForTerminal(toolLine(input, look.folder))),
      first,
      `${margin}${MARGIN}`,
      columns,
    ),
    ...excerpt(beneath, 8, 3).map((line) => `${margin}${MARGIN}${clip(line, room)}`),
  ];
}

/** The same call again, where its result comes after something else. */
export function callAgain({ name, input }: Call, margin: string, look: Look): string {
  const text = `${margin}↳ ${escapeForTerminal(name)} ${oneLine(escapeForTerminal(toolLine(input, look.folder)))}`;
  return look.style.dim(clip(oneLine(text), look.columns));
}

/** What came back: all of a short text, the beginning and the end of a long one. */
export function resultLines(
  text: string,
  { call, failed }: { call: Call | undefined; failed: boolean },
  margin: string,
  { style, columns }: Look,
): string[] {
  if (call && !failed && todoLines(call.input).length > 0) return []; // the list says it all
  const lines = escapeForTerminal(text).trimEnd().split("\n");
  const brief = call && !failed && changeIn(call.input) ? lines.slice(0, 1) : lines;
  const paint = failed ? style.red : style.dim;
  return excerpt(brief, 5, 3).map((line, i) => {
    const bracket = i === 0 ? "  ⎿ " : MARGIN;
    return paint(
      clip(`${margin}${bracket}${line === "" && i === 0 ? "(nothing)" : line}`, columns),
    );
  });
}

/** A few lines of a text that may be long, hanging under its beginning. */
function fitted(text: string, first: string, rest: string, columns: number): string[] {
  const used = Bun.stringWidth(first);
  if (text === "") return [first.trimEnd()];
  if (columns === Infinity) return [first + clip(text, columns)];
  const [head = "", ...more] = broken(text, Math.max(10, columns - used));
  if (more.length === 0) return [first + head];
  const tail = broken(text.slice(head.length).trimStart(), columns - rest.length);
  const shown = tail.slice(0, CALL_LINES - 1);
  if (tail.length > shown.length)
    shown.push(`${clip(shown.pop() ?? "", columns - rest.length - 1)}…`);
  return [first + head, ...shown.map((line) => rest + line)];
}

function oneLine(text: string): string {
  return text.trimEnd().replaceAll(/\s*\n\s*/g, " ⏎ ");
}
