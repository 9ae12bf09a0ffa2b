import { decode, type Decoded, type Line, lineText } from "@signalbox/protocol";

/**
 * Longer lines (in UTF-16 units) are kept but not parsed, because parsing one would block the
 * process.
 */
export const READABLE = 8 * 1024 * 1024;

/** Decodes a line, unless it is too long. `Peer` refuses a request in such a line. */
export function readLine(line: Line): Decoded {
  const text = lineText(line);
  if (text.length <= READABLE) return decode(line);
  const why = `too long to be read: ${text.length} characters`;
  const flaws = typeof line === "string" ? {} : { flaws: line.flaws };
  return { kind: "noise", why, raw: text, ...flaws };
}
