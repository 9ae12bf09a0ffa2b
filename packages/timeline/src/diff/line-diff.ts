import { findChanges } from "./changes.ts";

/** A line of a diff: unchanged (" "), removed ("-") or added ("+"). */
export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Every line of both texts in order. Where lines were replaced, the removed ones come first. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const append = (sign: DiffLine["sign"], texts: readonly string[]) => {
    for (const text of texts) lines.push({ sign, text });
  };
  let at = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of findChanges(before, after)) {
    append(" ", before.slice(at, oldFrom));
    append("-", before.slice(oldFrom, oldTo));
    append("+", after.slice(newFrom, newTo));
    at = oldTo;
  }
  append(" ", before.slice(at));
  return lines;
}
