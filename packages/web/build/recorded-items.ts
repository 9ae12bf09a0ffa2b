// Prints what the timeline makes of every recording, as JSON: [{ version, story, items }].
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { decode } from "@signalbox/protocol";
import { advance, createTimeline, type Item, type LogLine } from "@signalbox/timeline";

const fixtures = join(import.meta.dirname, "../../../fixtures");

export interface Recorded {
  readonly version: string;
  readonly story: string;
  readonly items: readonly Item[];
}

type Row = { from: "agent" | "host"; line?: unknown; raw?: string };

function getLine(row: Row): LogLine | undefined {
  if (row.raw !== undefined) return { from: row.from, line: decode(row.raw) };
  if (row.line === undefined) return undefined;
  return { from: row.from, line: decode(JSON.stringify(row.line)) };
}

function getItems(path: string): Item[] {
  const items = new Map<string, Item>();
  let state = createTimeline();
  for (const text of readFileSync(path, "utf8").split("\n")) {
    const line = text === "" ? undefined : getLine(JSON.parse(text) as Row);
    if (line === undefined) continue;
    const step = advance(state, line);
    state = step.state;
    for (const item of step.changed) items.set(item.id, item);
  }
  return [...items.values()].toSorted((a, b) => a.order - b.order);
}

export function recordings(): Recorded[] {
  return readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: version }) =>
      readdirSync(join(fixtures, version))
        .filter((file) => file.endsWith(".ndjson"))
        .map((file) => ({
          version,
          story: basename(file, ".ndjson"),
          items: getItems(join(fixtures, version, file)),
        })),
    );
}

if (import.meta.main) process.stdout.write(JSON.stringify(recordings()));
