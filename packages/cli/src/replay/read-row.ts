import { decode, type Line, lineText, parseObject } from "@signalbox/protocol";
import type { LogLine } from "@signalbox/timeline";

/** Reads a row of a recording: a plain line, or an object with a line and its source. Undefined for a header row. */
export function readRow(line: Line): LogLine | undefined {
  const row = parseObject(lineText(line));
  const from = typeof row === "string" ? undefined : row["from"];
  if (typeof row === "string" || (from !== "agent" && from !== "host" && from !== "keeper")) {
    return { from: "agent", line: decode(line) };
  }
  const { line: recorded, raw } = row;
  if (typeof raw === "string") return { from, line: decode(raw) };
  if (recorded !== undefined) return { from, line: decode(JSON.stringify(recorded)) };
  // A message of an agent may have a field `from` as well; the header of a recording has no type.
  return "type" in row ? { from: "agent", line: decode(line) } : undefined;
}
