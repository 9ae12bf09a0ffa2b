import { decode, type Decoded, type Line } from "@signalbox/protocol";

/** Longer lines are kept and shown as what they are, and not read: parsing one would stall everybody. */
const READABLE = 8 * 1024 * 1024;
const SHOWN = 2048;

export function readLine(line: Line): Decoded {
  const text = typeof line === "string" ? line : line.text;
  if (text.length <= READABLE) return decode(line);
  const why = `a line of ${text.length} characters: the log has it whole, and it was not read`;
  const flaws = typeof line === "string" ? {} : { flaws: line.flaws };
  return { kind: "noise", why, raw: `${text.slice(0, SHOWN)}…`, ...flaws };
}
