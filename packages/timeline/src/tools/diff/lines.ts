/** A text's lines without their LF, and whether the last one has none. */
export type Lines = { readonly lines: readonly string[]; readonly openEnd: boolean };

export function linesOf(whole: string): Lines {
  if (whole === "") return { lines: [], openEnd: false };
  const lines = whole.split("\n");
  const openEnd = lines.at(-1) !== "";
  if (!openEnd) lines.pop();
  return { lines, openEnd };
}
