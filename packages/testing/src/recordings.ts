import { repository } from "./programs.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Recorded {
  from: "agent" | "host" | "keeper";
  /** The line as it was on the wire. */
  text: string;
}

const fixtures = join(repository, "fixtures");

/** Every recorded exchange with a real Claude Code, by `version/story`. */
export function recordings(): Map<string, Recorded[]> {
  const found = new Map<string, Recorded[]>();
  for (const file of globSync("*/*.ndjson", { cwd: fixtures }).toSorted()) {
    const rows = readFileSync(join(fixtures, file), "utf8").trimEnd().split("\n");
    found.set(file, rows.flatMap(readRow));
  }
  return found;
}

/** A row holds a message, or the text of a line that is not a message. Notes have no sender. */
function readRow(row: string): Recorded[] {
  const { from, line, raw } = JSON.parse(row) as {
    from: Recorded["from"];
    line?: unknown;
    raw?: string;
  };
  if (line === undefined && raw === undefined) return [];
  return [{ from, text: raw ?? JSON.stringify(line) }];
}
