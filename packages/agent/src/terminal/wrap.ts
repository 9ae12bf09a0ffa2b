/**
 * Wraps text at this many columns, between words. Each continued line keeps the indentation of its
 * first.
 */
export function wrap(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
    .join("\n");
}

function wrapLine(line: string, columns: number): string[] {
  const begin = /^(?:[▲●⎿✗…] |\w {2}|\s)*/u.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const within = rest.lastIndexOf(" ", columns);
    // The terminal itself breaks a word that is longer than the line.
    const at = within > begin ? within : rest.indexOf(" ", Math.max(columns, begin));
    if (at === -1) break;
    lines.push(rest.slice(0, at));
    rest = " ".repeat(begin) + rest.slice(at + 1);
  }
  return [...lines, rest];
}

const USUAL_COLUMNS = 80;

export function getColumns(output: object): number {
  return "columns" in output && typeof output.columns === "number" && output.columns > 0
    ? output.columns
    : USUAL_COLUMNS;
}
