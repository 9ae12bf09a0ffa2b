/** Rows under one another. Cells of the columns named in `right` end at the same place. */
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

/** Cut in the middle: both ends of a path tell something. */
export function truncateMiddle(text: string, most: number): string {
  if (Bun.stringWidth(text) <= most) return text;
  const tail = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, most - 1 - tail)}…${text.slice(text.length - tail)}`;
}
