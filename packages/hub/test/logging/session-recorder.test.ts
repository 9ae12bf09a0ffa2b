import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EngineStage } from "@signalbox/testing/engine-stage";
import { SessionRecorder } from "../../src/logging/session-recorder.ts";

setDefaultTimeout(180_000);

test("everything that a session receives is recorded with a header, private, for `signalbox replay`", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-record-"));
  const recorder = new SessionRecorder(folder, "1.2.3");
  try {
    await using stage = await EngineStage.open({ recorder });
    const { id } = await stage.create({ prompt: { text: "::say Recorded." } });
    await stage.turns(id, 1);
    const path = (kind: string) => join(folder, `${kind}-${id}.jsonl`);
    const read = (kind: string) =>
      readFileSync(path(kind), "utf8")
        .trim()
        .split("\n")
        .map((row) => JSON.parse(row) as Record<string, unknown>);
    const header = { recording: "signalbox", version: 1, session: id, program: "1.2.3" };
    expect(read("raw")[0]).toEqual({ ...header, kind: "raw" });
    expect(read("events")[0]).toEqual({ ...header, kind: "events" });
    const types = read("events").map(({ event }) => (event as { type?: string } | undefined)?.type);
    expect(types).toContain("turn-ended");
    expect(statSync(path("raw")).mode & 0o777).toBe(0o600);
    const main = join(import.meta.dir, "../../../cli/src/main.ts");
    const replay = [process.execPath, main, "replay", path("raw"), "--output", "text"];
    expect(Bun.spawnSync(replay).stdout.toString()).toContain("\nRecorded.\n");
  } finally {
    recorder.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
