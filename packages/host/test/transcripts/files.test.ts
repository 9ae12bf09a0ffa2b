import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TranscriptFiles, TranscriptFollower } from "@signalbox/host/transcripts";
import { lineText } from "@signalbox/protocol";
import { type TranscriptBatch, TranscriptReader } from "@signalbox/protocol/transcript";
import { until } from "@signalbox/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";

const sessionId = "11111111-1111-4111-8111-111111111111";
const project = "-home-dev-demo";
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const prompt = (n: number) =>
  `${JSON.stringify({
    type: "user",
    parentUuid: n === 1 ? null : uuid(n - 1),
    uuid: uuid(n),
    sessionId,
    message: { role: "user", content: `prompt ${n}` },
  })}\n`;

let place: string;
let file: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "signalbox-test-"));
  file = join(place, "config/projects", project, `${sessionId}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const open = () => new TranscriptFiles({ configFolder: join(place, "config"), project, sessionId });

async function readAll(reader: TranscriptReader): Promise<TranscriptBatch[]> {
  return Array.fromAsync(reader.read());
}
const prompts = (batches: readonly TranscriptBatch[]) =>
  batches.flatMap(({ lines }) =>
    lines.flatMap(({ line }) => /"content":"(prompt \d+)"/.exec(lineText(line))?.[1] ?? []),
  );

describe("a transcript's file", () => {
  test("[IM11] is read from where it was left, and a torn last line waits for its end", async () => {
    const third = prompt(3);
    writeFileSync(file, prompt(1) + prompt(2) + third.slice(0, 30));
    const reader = new TranscriptReader(open());
    expect(prompts(await readAll(reader))).toEqual(["prompt 1", "prompt 2"]);
    appendFileSync(file, third.slice(30));
    expect(prompts(await readAll(reader))).toEqual(["prompt 3"]);
    const { cursor } = reader;
    appendFileSync(file, prompt(4));
    const later = new TranscriptReader(open(), {}, cursor);
    expect(prompts(await readAll(later))).toEqual(["prompt 4"]);
    expect([...later.problems]).toEqual([]);
  });

  test("[IM12] that is truncated, replaced or deleted is noticed, and nothing is shown twice", async () => {
    writeFileSync(file, prompt(1) + prompt(2));
    const reader = new TranscriptReader(open());
    await readAll(reader);
    truncateSync(file, prompt(1).length);
    let batches = await readAll(reader);
    expect(batches.map(({ changed }) => changed)).toEqual(["truncated"]);
    writeFileSync(`${file}.new`, prompt(1) + prompt(2) + prompt(3));
    renameSync(`${file}.new`, file);
    batches = await readAll(reader);
    expect(batches.map(({ changed }) => changed)).toEqual(["replaced", undefined]);
    expect(prompts(batches)).toEqual(["prompt 3"]);
    rmSync(file);
    expect((await readAll(reader)).map(({ changed }) => changed)).toEqual(["deleted"]);
    expect(await readAll(reader)).toEqual([]);
  });

  test("[IM13] is never read through a link, nor outside of the folder, nor from what is no file", async () => {
    const outside = join(place, "secret.jsonl");
    writeFileSync(outside, prompt(1));
    symlinkSync(outside, file);
    expect(await open().read(null, 0, 100)).toBeUndefined();
    rmSync(dirname(file), { recursive: true });
    mkdirSync(join(place, "elsewhere"));
    writeFileSync(join(place, "elsewhere", `${sessionId}.jsonl`), prompt(1));
    symlinkSync(join(place, "elsewhere"), dirname(file));
    expect(await open().read(null, 0, 100)).toBeUndefined();
    rmSync(dirname(file));
    mkdirSync(file, { recursive: true });
    expect(await open().read(null, 0, 100)).toBeUndefined();
    const configFolder = join(place, "config");
    for (const project of ["..", ".", "a/b", "../../x", "", "a\0b"]) {
      expect(() => new TranscriptFiles({ configFolder, project, sessionId })).toThrow();
    }
    for (const sessionId of ["x", "../../secret", `${uuid(1)}/..`]) {
      expect(() => new TranscriptFiles({ configFolder, project, sessionId })).toThrow();
    }
    expect(await open().read("../../secret", 0, 100)).toBeUndefined();
  });

  test.if(process.getuid?.() !== 0)("[IM13] that must not be read is an error", async () => {
    writeFileSync(file, prompt(1));
    chmodSync(file, 0);
    const failure = await open()
      .read(null, 0, 100)
      .catch((failure: NodeJS.ErrnoException) => failure.code);
    expect(failure).toBe("EACCES");
  });

  test("[IM14] is followed while it grows, and a turn is ended when its answer stays the last line", async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const follower = new TranscriptFollower(open(), { signal: stop.signal, quietMs: 1 });
    const following = (async () => {
      for await (const { lines } of follower.batches()) {
        for (const { line } of lines) seen.push(String(JSON.parse(lineText(line)).type));
      }
    })();
    writeFileSync(file, prompt(1));
    await until("the prompt is read", () => seen.includes("user"));
    const message = {
      id: "m1",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
    };
    appendFileSync(
      file,
      `${JSON.stringify({ type: "assistant", uuid: uuid(2), parentUuid: uuid(1), message })}\n`,
    );
    await until("the turn is over", () => seen.includes("result"));
    expect(seen).toEqual(["user", "system", "assistant", "result"]);
    stop.abort();
    await following;
  });
});
