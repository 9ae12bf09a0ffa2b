import { decode, type Line, lineText, parseObject } from "@signalbox/protocol";
import type { LogLine } from "@signalbox/timeline";

/** A row of a recording: a line as it is, or one that says who said it. A note was said by nobody. */
export function readRow(line: Line): LogLine | undefined {
  const row = parseObject(lineText(line));
  const from = typeof row === "string" ? undefined : row["from"];
  if (typeof row === "string" || (from !== "agent" && from !== "host" && from !== "keeper")) {
    return { from: "agent", line: decode(line) };
  }
  const { line: said, raw } = row;
  if (typeof raw === "string") return { from, line: decode(raw) };
  if (said !== undefined) return { from, line: decode(JSON.stringify(said)) };
  // An agent's own message may have such a field; a note of who recorded it has no type.
  return "type" in row ? { from: "agent", line: decode(line) } : undefined;
}
