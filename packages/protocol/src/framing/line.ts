/** One line as it was read, without its line end. Nearly all are just text; the rest say what ails them. */
export type Line = string | FlawedLine;

export interface FlawedLine {
  readonly text: string;
  readonly flaws: LineFlaws;
}

export interface LineFlaws {
  /** The line was longer than the limit: so many of its last bytes were thrown away. */
  readonly droppedBytes?: number;
  /** The bytes were not UTF-8: `text` holds replacement characters, this holds what came. */
  readonly original?: Uint8Array;
}

export function lineText(line: Line): string {
  return typeof line === "string" ? line : line.text;
}

/**
 * The same JSON for readers that take U+2028 and U+2029 for ends of lines, as `node:readline` does under
 * Bun, and so the official SDK there: what has one in it would never arrive.
 */
export function escapeLineSeparators(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
