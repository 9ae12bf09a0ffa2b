import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CHUNK } from "@signalbox/api/link";
import { readUndelivered } from "../../src/link/read-undelivered.ts";
import { DiskBuffer } from "../../src/link/disk-buffer.ts";
import { SessionBuffer } from "../../src/link/session-buffer.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

/** A file with a record for each text. */
function spilled(folder: string, texts: readonly string[]): string {
  const lines = new SessionBuffer(new DiskBuffer(folder, "s"), "s", 0);
  for (const text of texts) {
    lines.add("run", "agent", 1, text);
    lines.spill();
  }
  lines.close();
  const [name = ""] = readdirSync(folder);
  return name;
}

describe("a file that is torn or damaged", () => {
  test("[LK7] cut at any byte of its last three records, keeps the complete records, and the rest is removed and counted", () => {
    using folder = tempFolder();
    const whole = join(folder.path, "whole");
    mkdirSync(whole);
    const name = spilled(whole, ["one", "two", "three", "four", "five"]);
    const frames = readUndelivered(whole)[0]?.frames ?? [];
    const ends = frames.map(({ place }) => place.offset + place.length);
    const [keptAlways = 0, size = 0] = [ends[1], ends[4]];
    for (let cut = keptAlways; cut < size; cut++) {
      const torn = join(folder.path, String(cut));
      mkdirSync(torn);
      copyFileSync(join(whole, name), join(torn, name));
      truncateSync(join(torn, name), cut);
      const [found] = readUndelivered(torn);
      const kept = ends.filter((end) => end <= cut);
      expect(found?.frames.length).toBe(kept.length);
      expect(found?.cutBytes).toBe(cut - (kept.at(-1) ?? 0));
      expect(statSync(join(torn, name)).size).toBe(kept.at(-1) ?? 0);
    }
  });

  test("[LK7] loses the record with a flipped bit and everything after it, which is counted", () => {
    using folder = tempFolder();
    const whole = join(folder.path, "whole");
    mkdirSync(whole);
    const name = spilled(whole, ["one", "two", "three"]);
    const bytes = readFileSync(join(whole, name));
    const ends = (readUndelivered(whole)[0]?.frames ?? []).map(
      ({ place }) => place.offset + place.length,
    );
    for (let at = ends[0] ?? 0; at < bytes.length; at++) {
      const damaged = join(folder.path, String(at));
      mkdirSync(damaged);
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      writeFileSync(join(damaged, name), flipped);
      const [found] = readUndelivered(damaged);
      const kept = ends.filter((end) => end <= at);
      expect(found?.frames.length).toBe(kept.length);
      expect(found?.cutBytes).toBe(bytes.length - (kept.at(-1) ?? 0));
    }
  });

  test("[LK7] loses a long line completely if its last piece is missing", () => {
    using folder = tempFolder();
    const name = spilled(folder.path, ["one", "x".repeat(CHUNK * 3)]);
    const path = join(folder.path, name);
    truncateSync(path, statSync(path).size - 1);
    const [found] = readUndelivered(folder.path);
    expect(found?.frames.map(({ record }) => record.last)).toEqual([1]);
    expect(found?.cutBytes).toBeGreaterThan(CHUNK * 3 - 1);
    expect(readUndelivered(folder.path)[0]).toMatchObject({ cutBytes: 0 });
  });

  test("[LK7] is deleted if it has no complete record", () => {
    using folder = tempFolder();
    const name = spilled(folder.path, ["one"]);
    truncateSync(join(folder.path, name), 10);
    expect(readUndelivered(folder.path)).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
