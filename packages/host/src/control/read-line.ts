import { decode, type Decoded, type Line, lineText } from "@signalbox/protocol";

/** Longer lines (in UTF-16 units) are kept and not read: to parse one would stall everybody. */
export const READABLE = 8 * 1024 * 1024;

/** A line as a message, unless it is too long. Should it ask something, that is refused: see `Peer`. */
export function readLine(line: Line): Decoded {
  const text = lineText(line);
  if (text.length <= READABLE) return decode(line);
  const why = `too long to be read: ${text.length} characters`;
  const flaws = typeof line === "string" ? {} : { flaws: line.flaws };
  return { kind: "noise", why, raw: text, ...flaws };
}
