/**
 * One line as it was read, without its line end. Nearly all lines are plain strings; the others
 * carry their flaws.
 */
export type Line = string | FlawedLine;

export interface FlawedLine {
  readonly text: string;
  readonly flaws: LineFlaws;
}

export interface LineFlaws {
  /** The line was longer than the limit: this many bytes at its end were dropped. */
  readonly droppedBytes?: number;
  /**
   * The bytes were not valid UTF-8: `text` contains replacement characters, and this holds the
   * original bytes.
   */
  readonly original?: Uint8Array;
}

export function lineText(line: Line): string {
  return typeof line === "string" ? line : line.text;
}

/**
 * Escapes U+2028 and U+2029 in JSON, for readers that treat them as line ends. `node:readline` does
 * so under Bun, and so does the official SDK there: a line that contains one would never arrive.
 */
export function escapeLineSeparators(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
