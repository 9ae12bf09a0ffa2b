// Plays stories with real Claude Codes and keeps their transcripts, with what went over the wire:
// bun scripts/record/record-transcripts.ts
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { agents, type AgentVersion } from "@signalbox/testing/agent-stage";
import type { Row } from "./recording-driver.ts";
import { type Place, scrub } from "./scrub.ts";
import { openStage } from "./stage.ts";
import { stories } from "./stories/stories.ts";

const chosen = [
  "thinking-and-streaming",
  "parallel-tools",
  "compaction-asked",
  "slash-command",
  "subagent-foreground",
  "interrupt-while-streaming",
];
const fixtures = join(import.meta.dir, "../../fixtures/transcripts");

for (const version of Object.keys(agents) as AgentVersion[]) {
  for (const name of chosen) {
    const story = stories[name];
    if (!story) throw new Error(`there is no story ${name}`);
    const script = typeof story.script === "string" ? story.script : story.script(version);
    await using stage = await openStage(version, script);
    await story.play(stage);
    await stage.finish();
    const folder = join(fixtures, version, name);
    rmSync(folder, { recursive: true, force: true });
    for (const file of globSync("*/**", { cwd: stage.projects })) {
      const from = join(stage.projects, file);
      if (!statSync(from).isFile()) continue;
      // The name of the project's folder is made of a temporary path.
      const to = join(folder, file.split(sep).slice(1).join(sep));
      mkdirSync(dirname(to), { recursive: true });
      if (file.endsWith(".jsonl"))
        writeFileSync(to, scrubLines(readFileSync(from, "utf8"), stage.place));
      else cpSync(from, to);
    }
    const wire = scrub(stage.rows, stage.place).filter((row) => !isDelta(row));
    const text = wire.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(join(folder, "wire.ndjson"), text);
    console.log(`${version}/${name}`);
  }
}

function scrubLines(text: string, place: Place): string {
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line): Row => ({ from: "agent", line: JSON.parse(line) as unknown }));
  const lines = scrub(rows, place).flatMap((row) => ("line" in row ? [row.line] : []));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function isDelta(row: Row): boolean {
  const line = "line" in row ? (row.line as { type?: unknown }) : {};
  return line.type === "stream_event";
}
