import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "@signalbox/protocol";
import { CHUNK, parseFrame, frameToHub } from "@signalbox/api/link";
import { readUndelivered } from "../../src/link/read-undelivered.ts";
import { DiskBuffer } from "../../src/link/disk-buffer.ts";
import { SessionBuffer, defaultLimits } from "../../src/link/session-buffer.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

function open(folder: string, limits = {}) {
  return new SessionBuffer(new DiskBuffer(folder, "s"), "s", 0, { ...defaultLimits, ...limits });
}

function add(lines: SessionBuffer, ...texts: Line[]) {
  for (const text of texts) lines.add("run", "agent", 1, text);
}

/** All frames that can be sent now, read as the hub reads them. */
function taken(lines: SessionBuffer) {
  lines.seal();
  const frames = [];
  for (let text = lines.takeFrame(); text !== undefined; text = lines.takeFrame()) {
    const read = parseFrame(frameToHub, text);
    if (!read) throw new Error(`not a frame: ${text.slice(0, 100)}`);
    frames.push(read);
  }
  return frames;
}

const getTexts = (frames: ReturnType<typeof taken>) => frames.flatMap((frame) => frame.lines);

describe("lines on their way", () => {
  test("[LK2] waiting lines are sent together, unchanged and numbered without gaps", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    const texts = ['{"a":"\\n"}', "not JSON \u2028 at all", "{}", "ünï 😀"];
    add(lines, ...texts);
    const [frame, ...rest] = taken(lines);
    expect(rest).toEqual([]);
    expect(frame?.frame).toMatchObject({ type: "lines", session: "s", run: "run", first: 1 });
    expect(frame?.lines).toEqual(texts);
    add(lines, "next");
    expect(taken(lines)[0]?.frame).toMatchObject({ first: 5 });
  });

  test("[LK2] a batch ends when it has reached the limit", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    const half = "x".repeat(CHUNK / 2 - 1000); // a line's facts count, too
    add(lines, half, half, half);
    expect(taken(lines).map((frame) => frame.lines.length)).toEqual([2, 1]);
  });

  test("[LK3] a long line is sent in pieces that are no longer than the limit and split no character", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    const long = `x${"😀".repeat(CHUNK)}`; // the limit falls into a pair
    add(lines, "before", long, "after");
    const frames = taken(lines);
    const pieces = frames.filter(({ frame }) => frame.type === "chunk");
    expect(pieces.map(({ frame }) => "last" in frame && frame.last)).toEqual([false, false, true]);
    for (const piece of pieces) {
      expect(piece.lines.join("").length).toBeLessThanOrEqual(CHUNK);
      expect(piece.lines.join("").isWellFormed()).toBe(true);
    }
    expect(getTexts(pieces).join("") === long).toBe(true);
    expect(frames.at(-1)?.frame).toMatchObject({ type: "lines", first: 3 });
  });

  test("[LK3] the defects of a line are sent with it: dropped bytes, and bytes that are not UTF-8", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    const original = new Uint8Array(CHUNK + 7).map((_, index) => index % 251);
    add(lines, { text: "a", flaws: { droppedBytes: 5 } });
    add(lines, { text: "b", flaws: { original: new Uint8Array([0xff]) } });
    add(lines, { text: "c", flaws: { original, droppedBytes: 9 } });
    const [first, ...chunks] = taken(lines);
    expect(first?.frame).toMatchObject({
      flaws: { "0": { droppedBytes: 5 }, "1": { original: "/w==" } },
    });
    const flaws = chunks.map(({ frame }) => (frame.type === "chunk" ? frame.flaws : undefined));
    const bytes = flaws.map((flaw) => Buffer.from(flaw?.original ?? "", "base64"));
    expect(Buffer.concat(bytes).equals(Buffer.from(original))).toBe(true);
    expect(flaws.at(-1)).toMatchObject({ droppedBytes: 9 });
    expect(getTexts(chunks).join("")).toBe("c");
  });

  test("[LK4] acknowledged lines are dropped, and the others are sent again on a new connection", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    add(lines, "1", "2");
    taken(lines);
    add(lines, "3");
    taken(lines);
    lines.acknowledge(2);
    expect(taken(lines)).toEqual([]);
    lines.resendAfter(2);
    expect(getTexts(taken(lines))).toEqual(["3"]);
    lines.resendAfter(3);
    expect(lines.isEmpty).toBe(true);
  });

  test("[LK4] a long line that was partly sent is sent again from its beginning", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    add(lines, "x".repeat(CHUNK * 3));
    lines.takeFrame();
    lines.takeFrame();
    lines.resendAfter(0);
    expect(getTexts(taken(lines)).join("").length).toBe(CHUNK * 3);
  });

  test("[LK32] at most one window of data is in transit: more of a long line is sent when the hub has received pieces", () => {
    using folder = tempFolder();
    const lines = open(folder.path, { window: CHUNK + 1000 });
    add(lines, "x".repeat(CHUNK * 5), "y");
    expect(taken(lines)).toHaveLength(2);
    lines.acknowledgePieces(1, 1);
    expect(taken(lines)).toHaveLength(1);
    lines.acknowledgePieces(1, 1); // the same again says nothing new
    expect(taken(lines)).toEqual([]);
    lines.resendAfter(0); // a new connection: from the beginning
    expect(taken(lines)).toHaveLength(2);
    lines.acknowledgePieces(1, 2);
    expect(taken(lines)).toHaveLength(2);
    lines.acknowledgePieces(1, 5);
    expect(taken(lines).map(({ frame }) => frame.type)).toEqual(["chunk", "lines"]);
    lines.acknowledge(2);
    expect(lines.isEmpty).toBe(true);
    add(lines, "x".repeat(CHUNK), "y");
    expect(taken(lines)).toHaveLength(2);
  });
});

describe("lines on the disk", () => {
  test("[LK6] lines that do not fit into memory go to the disk and come back in order", () => {
    using folder = tempFolder();
    const lines = open(folder.path, { memory: 10_000 });
    const texts = Array.from({ length: 500 }, (_, n) => `${n} ${"z".repeat(100)}`);
    for (const text of texts) {
      add(lines, text);
      lines.seal();
    }
    expect(readdirSync(folder.path)).toHaveLength(1);
    expect(getTexts(taken(lines))).toEqual(texts);
    lines.acknowledge(500);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("[LK5] only the user can read the files, and their names do not reveal the session", () => {
    using folder = tempFolder();
    const lines = new SessionBuffer(new DiskBuffer(folder.path, "../x/\0"), "../x/\0", 0);
    lines.add("run", "agent", 1, "secret");
    lines.spill();
    const [name = ""] = readdirSync(folder.path);
    expect(name).toMatch(/^[0-9a-f]{32}-00000001\.spill$/);
    expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });

  test("files are deleted one by one as the hub acknowledges their lines", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    const megabytes = Array.from({ length: 40 }, (_, n) => `${n}${"m".repeat(CHUNK - 10)}`);
    for (const text of megabytes) {
      add(lines, text);
      lines.spill();
    }
    const files = readdirSync(folder.path).length;
    expect(files).toBeGreaterThan(1);
    lines.acknowledge(39);
    expect(readdirSync(folder.path)).toHaveLength(1);
    expect(getTexts(taken(lines))).toEqual(megabytes.slice(39));
  });

  test("[LK9] when the limit is reached, there is room again only after the hub has stored lines", async () => {
    using folder = tempFolder();
    const lines = open(folder.path, { waiting: 1000 });
    expect(lines.waitForSpace()).toBeUndefined();
    add(lines, "x".repeat(2000));
    lines.seal();
    const room = lines.waitForSpace();
    expect(room).toBeInstanceOf(Promise);
    lines.acknowledge(1);
    await room;
    expect(lines.waitForSpace()).toBeUndefined();
  });

  test("a line that the disk cannot read back is reported in its place and leaves no gap", () => {
    using folder = tempFolder();
    const lines = open(folder.path);
    add(lines, "1", "2");
    lines.spill();
    add(lines, "3");
    const [name = ""] = readdirSync(folder.path);
    Bun.spawnSync(["rm", join(folder.path, name)]);
    const frames = taken(lines);
    expect(frames.map(({ frame }) => "first" in frame && frame.first)).toEqual([1, 3]);
    expect(frames[0]?.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { subtype: "remark", level: "error" },
      { subtype: "remark", level: "error" },
    ]);
  });

  test("[LK8] the next process finds the lines that were left, in order, and continues after them", () => {
    using folder = tempFolder();
    const before = open(folder.path);
    const long = "l".repeat(CHUNK * 2);
    add(before, "1", "2", long, "4");
    before.spill();
    add(before, "5"); // was only in memory
    const [found] = readUndelivered(folder.path);
    if (!found) throw new Error("nothing was found");
    expect(found).toMatchObject({ session: "s", run: "run", cutBytes: 0 });
    const lines = SessionBuffer.fromDisk(folder.path, found);
    expect(lines.next).toBe(5);
    add(lines, "again 5");
    lines.spill();
    const texts = getTexts(taken(lines));
    expect(texts.join("") === `12${long}4again 5`).toBe(true);
    expect(readUndelivered(folder.path)[0]?.frames.at(-1)?.record.last).toBe(5);
  });
});
