/** How long a line of a log gets: there is no screen to fit. */
const LOG_COLUMNS = 200;
const MIN_COLUMNS = 30;

/** The room for a line on this stream; Infinity when it is not a terminal. */
export function getColumns(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? Math.max(MIN_COLUMNS, stream.columns || 80) : Infinity;
}

/** The whole text behind a margin, also where a line is broken to fit. */
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

/** Lines that fit, broken between words where that is possible. Nothing is left out. */
export function wrapLines(text: string, columns: number): string[] {
  const spread = text.replaceAll("\t", "    "); // a tab's width depends on where it stands
  if (columns === Infinity) return spread.split("\n");
  return spread.split("\n").flatMap((line) =>
    Bun.wrapAnsi(line, columns, { hard: true, trim: false })
      .split("\n")
      .map((part, i) => (i > 0 ? part.replace(/^ (?=\S)/, "") : part)),
  );
}

/** As much of one line as fits. */
export function truncate(line: string, columns: number): string {
  const most = Math.min(columns, LOG_COLUMNS);
  return Bun.sliceAnsi(line.replaceAll("\t", "    "), 0, most, "…");
}

/** The beginning and the end of a long text, and how much was left out between them. */
export function excerpt(lines: readonly string[], head: number, tail: number): string[] {
  const left = lines.length - head - tail;
  if (left < 2) return [...lines]; // the note would take the place of the line it stands for
  return [...lines.slice(0, head), `… ${left} more lines`, ...lines.slice(lines.length - tail)];
}

export function toSpaces(text: string): string {
  return " ".repeat(Bun.stringWidth(text));
}
