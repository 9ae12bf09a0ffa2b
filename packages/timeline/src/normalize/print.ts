/**
 * A number of 32 bits that stands for what a message says: equal for equal values, and for others the same
 * once in four billion times. It walks the value as it is, since to write it out again would cost more.
 */
export function printOf(value: unknown): number {
  return folded(0x811c9dc5, value) >>> 0;
}

const PRIME = 0x01000193;

function folded(before: number, value: unknown): number {
  if (typeof value === "string") return foldedText(Math.imul(before ^ value.length, PRIME), value);
  if (Number.isInteger(value)) return Math.imul(before ^ (value as number), PRIME);
  if (typeof value !== "object" || value === null) return foldedText(before, String(value));
  let print = before;
  if (Array.isArray(value)) {
    for (const part of value) print = folded(print, part);
    return Math.imul(print ^ value.length, PRIME);
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) print = folded(foldedText(print, name), fields[name]);
  return print;
}

/** Four characters at a time: one by one, each would have to wait for the one before it. */
function foldedText(before: number, text: string): number {
  const { length } = text;
  let print = before;
  let at = 0;
  for (; at + 3 < length; at += 4) {
    const four =
      text.charCodeAt(at) +
      Math.imul(text.charCodeAt(at + 1), 0x1003f) +
      Math.imul(text.charCodeAt(at + 2), 0x6a09e7) +
      Math.imul(text.charCodeAt(at + 3), 0x3c6ef35);
    print = Math.imul(print ^ four, PRIME);
    print ^= print >>> 15;
  }
  for (; at < length; at++) print = Math.imul(print ^ text.charCodeAt(at), PRIME);
  return print;
}
