/**
 * Deeper than any real message, and far below the depth at which recursive code (ours or a
 * client's) overflows.
 */
export const MAX_DEPTH = 512;

export type JsonObject = { [key: string]: unknown };

type Unparsed = "not JSON" | "not a JSON object" | `nested deeper than ${number}`;

/**
 * Parses a line that should be a JSON object; otherwise tells what it is. The depth is counted
 * first: the parser copes with deep values, but recursive code that walks them does not.
 */
export function parseObject(text: string): JsonObject | Unparsed {
  if (text.length > MAX_DEPTH && isTooDeep(text, MAX_DEPTH))
    return `nested deeper than ${MAX_DEPTH}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  return isObject(value) ? value : "not a JSON object";
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTooDeep(text: string, max: number): boolean {
  // Nearly every line has fewer brackets than the limit, and counting them natively is cheap.
  if (countBrackets(text, "{", max) + countBrackets(text, "[", max) <= max) return false;
  return exactDepthExceeds(text, max);
}

function countBrackets(text: string, bracket: string, max: number): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
    if (++count > max) break;
  }
  return count;
}

function exactDepthExceeds(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = findStringEnd(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return false;
}

/**
 * Finds the end of the string that begins at `quote`: the next quote after an even number of `\`.
 */
function findStringEnd(text: string, quote: number): number {
  let end = quote;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
}
