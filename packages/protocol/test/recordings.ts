import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Recorded {
  from: "agent" | "host";
  /** The line as it went over the wire. */
  text: string;
}

const fixtures = join(import.meta.dir, "../../../fixtures");

/** Every recorded exchange with a real Claude Code, by `version/story`. */
export function recordings(): Map<string, Recorded[]> {
  const found = new Map<string, Recorded[]>();
  for (const version of readdirSync(fixtures)) {
    for (const story of readdirSync(join(fixtures, version))) {
      const rows = readFileSync(join(fixtures, version, story), "utf8")
        .trimEnd()
        .split("\n");
      const recorded = rows.map((row) => {
        const { from, line } = JSON.parse(row) as { from: Recorded["from"]; line: unknown };
        return { from, text: JSON.stringify(line) };
      });
      found.set(`${version}/${story}`, recorded);
    }
  }
  return found;
}
