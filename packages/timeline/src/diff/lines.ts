/** Splits a text into lines without their LF, and tells whether the last line has none. */
export type SplitText = { readonly lines: readonly string[]; readonly lacksFinalNewline: boolean };

export function splitLines(whole: string): SplitText {
  if (whole === "") return { lines: [], lacksFinalNewline: false };
  const lines = whole.split("\n");
  const openEnd = lines.at(-1) !== "";
  if (!openEnd) lines.pop();
  return { lines, lacksFinalNewline: openEnd };
}
