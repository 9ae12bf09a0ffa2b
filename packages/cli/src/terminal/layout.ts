/** The longest line for output that is not a terminal. */
const LOG_COLUMNS = 200;
const MIN_COLUMNS = 30;

/** The width of this stream in columns; Infinity if it is not a terminal. */
export function getColumns(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? Math.max(MIN_COLUMNS, stream.columns || 80) : Infinity;
}

/** Wraps a text with a prefix on the first line and an indent on all other lines. */
export function hangIndent(
  text: string,
  first: string,
  columns: number,
  rest = toSpaces(first),
): string {
  return wrapLines(text, Math.max(MIN_COLUMNS / 2, columns - Bun.stringWidth(first)))
    .map((line, i) => (i === 0 ? first : rest) + line)
    .join("\n");
}

/** Wraps a text to lines of this width, between words if possible. Nothing is left out. */
export function wrapLines(text: string, columns: number): string[] {
  const spread = text.replaceAll("\t", "    "); // the width of a tab depends on its position
  if (columns === Infinity) return spread.split("\n");
  return spread.split("\n").flatMap((line) =>
    Bun.wrapAnsi(line, columns, { hard: true, trim: false })
      .split("\n")
      .map((part, i) => (i > 0 ? part.replace(/^ (?=\S)/, "") : part)),
  );
}

/** Truncates a line to this width. */
export function truncate(line: string, columns: number): string {
  const most = Math.min(columns, LOG_COLUMNS);
  return Bun.sliceAnsi(line.replaceAll("\t", "    "), 0, most, "…");
}

/** Keeps the beginning and the end of a long text, with a note about the omitted lines. */
export function excerpt(lines: readonly string[], head: number, tail: number): string[] {
  const left = lines.length - head - tail;
  if (left < 2) return [...lines]; // the note would be as long as the omitted line
  return [...lines.slice(0, head), `… ${left} more lines`, ...lines.slice(lines.length - tail)];
}

function toSpaces(text: string): string {
  return " ".repeat(Bun.stringWidth(text));
}
