/**
 * Splits Markdown into blocks that are parsed and rendered separately, so that only the last block is
 * processed again while a text grows. The blocks joined are the text, and a block is final once the next one
 * has begun.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let begun = 0;
  let at = 0;
  let state: State = { kind: "blank" };
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, newline === -1 ? text.length : newline);
    const next = step(state, line, newline !== -1);
    if (next.begins && at > begun) {
      blocks.push(text.slice(begun, at));
      begun = at;
    }
    state = next.state;
    at = end;
  }
  if (begun < text.length) blocks.push(text.slice(begun));
  return blocks;
}

/** The construct that the current line belongs to. `rest`: after a blank line, where most constructs end. */
type State =
  | { readonly kind: "blank" }
  | { readonly kind: "prose" }
  | { readonly kind: "rest" }
  | { readonly kind: "fence"; readonly mark: string; readonly length: number }
  | { readonly kind: "math" }
  | { readonly kind: "list"; readonly marker: string; readonly rested: boolean }
  | {
      readonly kind: "listFence";
      readonly mark: string;
      readonly length: number;
      readonly marker: string;
    };

interface Step {
  readonly state: State;
  /** Whether this line starts a new block. */
  readonly begins: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const listItem = /^ {0,3}([-+*]|\d{1,9}([.)]))(?:[ \t]|$)/;
/** List items that may interrupt a paragraph: not empty, and numbered from 1. */
const interruptingItem = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;
/** An incomplete line that may still become the next list item. */
const unfinishedItem = /^ {0,3}(?:[-+*]|\d{1,9}[.)]?)?$/;
const fenceInItem =
  /^(?: {2,}|\t| {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]+)(?:(?:[-+*]|\d{1,9}[.)])?[ \t]+)*(`{3,}|~{3,})[^`]*$/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const math = /^ {0,3}\$\$[^$]*$/;
const indented = /^(?: {4}|\t)/;

/**
 * Processes a line. `ended`: it is complete. An incomplete line causes no decision that its rest could
 * change.
 */
function step(state: State, line: string, ended: boolean): Step {
  switch (state.kind) {
    case "fence":
      return { state: closes(line, state) ? { kind: "rest" } : state, begins: false };
    case "listFence":
      return inListFence(state, line, ended);
    case "math":
      return { state: /\$\$[ \t]*$/.test(line) ? { kind: "rest" } : state, begins: false };
    case "list":
      return inList(state, line, ended);
    case "blank":
    case "prose":
    case "rest":
      return inProse(state, line, ended);
    default:
      return state satisfies never;
  }
}

function inProse(state: State, line: string, ended: boolean): Step {
  if (line.trim() === "") {
    return { state: state.kind === "blank" ? state : { kind: "rest" }, begins: false };
  }
  const rested = state.kind !== "prose";
  // Otherwise indented code would be split at its blank lines.
  if (rested && indented.test(line)) return { state, begins: false };
  const opened = opens(line, ended);
  if (rested) return { state: opened, begins: true };
  // Dashes below a paragraph make it a heading; other rules end it.
  if (ended && rule.test(line))
    return { state: { kind: "rest" }, begins: !/^ {0,3}-+\s*$/.test(line) };
  const begins = isItem(opened) ? interruptingItem.test(line) : opened.kind !== "prose";
  return { state: begins ? opened : state, begins };
}

function inList(state: Extract<State, { kind: "list" }>, line: string, ended: boolean): Step {
  if (line.trim() === "") return { state: { ...state, rested: true }, begins: false };
  if (ended && rule.test(line)) return { state: { kind: "rest" }, begins: true };
  const item = listItem.exec(line);
  const sameList = item !== null && getMarker(item) === state.marker;
  if (sameList || /^(?: {2,}|\t)/.test(line)) {
    return { state: fencedItem(line, state.marker), begins: false };
  }
  if (!ended && unfinishedItem.test(line)) return { state, begins: false };
  const opened = opens(line, ended);
  if (state.rested) return { state: opened, begins: true };
  const begins = isItem(opened)
    ? interruptingItem.test(line)
    : opened.kind !== "prose" || /^ {0,3}(?:#{1,6}[ \t]|>)/.test(line);
  // A line right below a list item belongs to the item.
  return { state: begins ? opened : state, begins };
}

function inListFence(
  state: Extract<State, { kind: "listFence" }>,
  line: string,
  ended: boolean,
): Step {
  const list = { kind: "list", marker: state.marker, rested: false } as const;
  if (closes(line.trimStart(), state) && /^\s/.test(line)) return { state: list, begins: false };
  // A line with less indentation ends the list item and its code.
  if (/^\S/.test(line)) return inList({ ...list, rested: true }, line, ended);
  return { state, begins: false };
}

function opens(line: string, ended: boolean): State {
  const fenced = ended ? fence.exec(line) : null;
  if (fenced) {
    const [, mark = ""] = fenced;
    return { kind: "fence", mark: mark[0] ?? "`", length: mark.length };
  }
  if (ended && math.test(line)) return { kind: "math" };
  if (ended && rule.test(line)) return { kind: "prose" };
  const item = listItem.exec(line);
  return item ? fencedItem(line, getMarker(item)) : { kind: "prose" };
}

function isItem(state: State): boolean {
  return state.kind === "list" || state.kind === "listFence";
}

function fencedItem(line: string, marker: string): State {
  const [, mark = ""] = fenceInItem.exec(line) ?? [];
  if (mark === "") return { kind: "list", marker, rested: false };
  return { kind: "listFence", mark: mark[0] ?? "`", length: mark.length, marker };
}

function closes(line: string, open: { mark: string; length: number }): boolean {
  const trimmed = line.trim();
  return (
    trimmed.length >= open.length &&
    trimmed === open.mark.repeat(trimmed.length) &&
    !indented.test(line)
  );
}

/** The marker of a list: the bullet, or the character after the number. */
function getMarker(item: RegExpExecArray): string {
  return item[2] ?? item[1] ?? "";
}

const definition = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S[^\n]*$/gm;

/** The link definitions of a text, which are added to blocks that use them. */
export function collectDefinitions(text: string): string {
  return (text.match(definition) ?? []).join("\n");
}
