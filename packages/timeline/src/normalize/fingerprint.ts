const PRIME = 0x01000193;
const OTHER_PRIME = 0x85ebca6b;
const LOW = 2 ** 32;

/**
 * The second hash. It is computed during the same walk as the first one, because the walk is what
 * costs time.
 */
let other = 0;

/**
 * A number of 53 bits that stands for the content of a message: equal contents have equal numbers,
 * and different ones collide once in 10¹⁵ times. It walks the value, because serializing it would
 * cost more.
 */
export function fingerprint(value: unknown): number {
  other = 0x9e3779b9;
  const one = foldValue(0x811c9dc5, value) >>> 0;
  other = Math.imul(other ^ (other >>> 16), OTHER_PRIME);
  return ((other ^ (other >>> 13)) >>> 11) * LOW + one;
}

function foldValue(before: number, value: unknown): number {
  if (typeof value === "string") {
    return foldText(foldNumber(before, value.length), value);
  }
  if (Number.isInteger(value)) return foldNumber(before, value as number);
  if (typeof value !== "object" || value === null) return foldText(before, String(value));
  let print = before;
  if (Array.isArray(value)) {
    for (const part of value) print = foldValue(print, part);
    return foldNumber(print, value.length);
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) print = foldValue(foldText(print, name), fields[name]);
  return print;
}

function foldNumber(before: number, value: number): number {
  other = Math.imul((other << 7) ^ (other >>> 25) ^ value ^ (value / LOW), OTHER_PRIME);
  return Math.imul(before ^ value, PRIME);
}

/** Four characters at a time: one by one, each step would have to wait for the one before it. */
function foldText(before: number, text: string): number {
  const { length } = text;
  let print = before;
  let second = other;
  let at = 0;
  for (; at + 3 < length; at += 4) {
    const a = text.charCodeAt(at);
    const b = text.charCodeAt(at + 1);
    const c = text.charCodeAt(at + 2);
    const d = text.charCodeAt(at + 3);
    const four = a + Math.imul(b, 0x1003f) + Math.imul(c, 0x6a09e7) + Math.imul(d, 0x3c6ef35);
    print = Math.imul(print ^ four, PRIME);
    print ^= print >>> 15;
    second = Math.imul((second << 7) ^ (second >>> 25) ^ (a + (b << 16)), OTHER_PRIME);
    second = Math.imul((second << 7) ^ (second >>> 25) ^ (c + (d << 16)), OTHER_PRIME);
  }
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    print = Math.imul(print ^ code, PRIME);
    second = Math.imul((second << 7) ^ (second >>> 25) ^ code, OTHER_PRIME);
  }
  other = second;
  return print;
}
