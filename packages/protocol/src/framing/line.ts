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
