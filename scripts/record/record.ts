// Plays the stories with real Claude Codes and a scripted model, and keeps what went over the wire:
// bun scripts/record/record.ts [--only STORY] [--version VERSION]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decode } from "@signalbox/protocol";
import { errorMessage } from "@signalbox/protocol/text";
import { agents, type AgentVersion } from "@signalbox/testing/agent-stage";
import type { Row } from "./recording-driver.ts";
import { scrub } from "./scrub.ts";
import { openStage } from "./stage.ts";
import { stories } from "./stories/stories.ts";
import type { Story } from "./story.ts";

const PATIENCE_MS = 60_000;
const fixtures = join(import.meta.dir, "../../fixtures");

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, version: { type: "string" } },
});
const versions = (Object.keys(agents) as AgentVersion[]).filter(
  (version) => values.version === undefined || values.version === version,
);
const chosen = Object.entries(stories).filter(
  ([name]) => values.only === undefined || values.only.includes(name),
);
if (versions.length === 0 || chosen.length === 0) {
  console.error(`There is ${Object.keys(agents).join(", ")}; ${Object.keys(stories).join(", ")}.`);
  process.exit(2);
}

let failed = 0;
for (const [name, story] of chosen) {
  for (const version of versions) {
    if (story.version !== undefined && story.version !== version) continue;
    try {
      const rows = await record(story, version);
      mkdirSync(join(fixtures, version), { recursive: true });
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      writeFileSync(join(fixtures, version, `${name}.ndjson`), text);
      console.log(`${version}/${name}: ${rows.length} rows, ${text.length} bytes`);
      for (const strange of strangers(rows)) console.log(`  ${strange}`);
    } catch (failure) {
      failed++;
      console.error(`${version}/${name} FAILED: ${errorMessage(failure)}`);
    }
  }
}
process.exit(failed > 0 ? 1 : 0);

async function record(story: Story, version: AgentVersion): Promise<Row[]> {
  const script = typeof story.script === "string" ? story.script : story.script(version);
  await using stage = await openStage(version, script);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(getLast(stage.rows))), PATIENCE_MS);
  try {
    await Promise.race([story.play(stage), late.promise]);
    await stage.finish();
  } finally {
    clearTimeout(timer);
  }
  return scrub(stage.rows, stage.place);
}

function getLast(rows: readonly Row[]): string {
  const last = rows.slice(-3).map((row) => JSON.stringify(row).slice(0, 300));
  return `not over after ${PATIENCE_MS / 1000} s; the last lines:\n${last.join("\n")}`;
}

/** The lines that our protocol does not know: news for whoever keeps the catalogue. */
function* strangers(rows: readonly Row[]): Generator<string> {
  for (const row of rows) {
    if ("note" in row) continue;
    const line = decode("raw" in row ? row.raw : JSON.stringify(row.line));
    if (line.kind !== "known") yield `${row.from}: ${line.kind}: ${line.raw.slice(0, 300)}`;
  }
}
