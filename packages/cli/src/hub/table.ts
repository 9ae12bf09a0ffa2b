/** Formats rows as aligned columns. The columns in `right` are aligned to the right. */
export function formatTable(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) {
      widths[i] = Math.max(widths[i] ?? 0, Bun.stringWidth(cell));
    }
  }
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const room = " ".repeat((widths[i] ?? 0) - Bun.stringWidth(cell));
        return right.includes(i) ? room + cell : cell + room;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Truncates in the middle, because both ends of a path are informative. */
export function truncateMiddle(text: string, max: number): string {
  if (Bun.stringWidth(text) <= max) return text;
  const tail = Math.ceil((max - 1) * 0.6);
  return `${text.slice(0, max - 1 - tail)}…${text.slice(text.length - tail)}`;
}
