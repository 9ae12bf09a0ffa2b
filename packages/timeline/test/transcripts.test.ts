import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "@signalbox/protocol";
import { TranscriptReader, type TranscriptSource } from "@signalbox/protocol/transcript";
import { describe, expect, test } from "bun:test";
import { advance, createTimeline, type Item, type LogLine } from "@signalbox/timeline";

const recordings = join(import.meta.dir, "../../../fixtures/transcripts");

function play(lines: readonly LogLine[]): Item[] {
  let state = createTimeline();
  const items = new Map<string, Item>();
  for (const line of lines) {
    const step = advance(state, line);
    state = step.state;
    for (const item of step.changed) items.set(item.id, item);
  }
  return [...items.values()].toSorted((a, b) => a.order - b.order);
}

function readWire(folder: string): LogLine[] {
  const rows = readFileSync(join(folder, "wire.ndjson"), "utf8").trimEnd().split("\n");
  return rows.flatMap((row) => {
    const { from, line } = JSON.parse(row) as { from: "agent" | "host"; line?: unknown };
    return line === undefined ? [] : [{ from, line: decode(JSON.stringify(line)) }];
  });
}

/** The files of a recording, of which a reader gets `size` bytes at a time. */
function openRecording(folder: string, size: number): TranscriptSource {
  const name = readdirSync(folder).find((file) => file.endsWith(".jsonl")) ?? "";
  const subagents = join(folder, name.slice(0, -6), "subagents");
  return {
    async read(agentId, offset) {
      const path =
        agentId === null ? join(folder, name) : join(subagents, `agent-${agentId}.jsonl`);
      const bytes = readFileSync(path);
      return { bytes: bytes.subarray(offset, offset + size), size: bytes.length, identity: "1" };
    },
    listSubagents: async () => [],
  };
}

async function readTranscript(folder: string, size = 1 << 20): Promise<LogLine[]> {
  const reader = new TranscriptReader(openRecording(folder, size));
  const lines: LogLine[] = [];
  const add = (added: Iterable<{ from: "agent" | "keeper"; line: unknown }>) => {
    for (const { from, line } of added) lines.push({ from, line: decode(line as string) });
  };
  for await (const batch of reader.read()) add(batch.lines);
  add(reader.endTurn());
  expect([...reader.problems]).toEqual([]);
  return lines;
}

/**
 * What a person sees of an item. Requests, hooks and the start of a session are in no transcript,
 * and what the program writes for the model is printed by no version.
 */
function describeItem(item: Item): string[] {
  const parent = item.parent === undefined ? "" : ` in ${item.parent}`;
  switch (item.kind) {
    case "ask":
    case "hook":
    case "task":
      return [];
    case "notice":
      return item.level === "aside" || item.text.startsWith("session ") ? [] : [item.text];
    case "prompt": {
      // 2.1.325 prints a command's other name; 2.1.7 gives it another uuid.
      const content = typeof item.content === "string" ? item.content : item.content[0]?.["text"];
      return [`prompt${parent}: ${String(content).replace("/cost", "/usage")}`];
    }
    case "text":
    case "thinking":
      return [`${item.kind}${parent}: ${item.text}`];
    case "tool": {
      return [`${item.name}${parent}: ${item.status} ${JSON.stringify(item.payload)}`];
    }
    case "turn-end":
      return [`end of turn ${item.turn}: ${item.status}`];
    case "compaction":
      return [`compaction: ${item.state} ${item.trigger} ${item.tokensBefore} ${item.summary}`];
    default:
      return [JSON.stringify(item)];
  }
}

const all = readdirSync(recordings).flatMap((version) =>
  readdirSync(join(recordings, version)).map((story) => join(version, story)),
);

/** What can be compared: each of these differences is one between what the program prints and writes. */
function select(name: string, lines: string[]): string[] {
  switch (name) {
    // An unknown command is answered in the result alone, and in the transcript as a prompt.
    case "2.1.7/slash-command":
      return lines.filter((line) => !/nonsense|end of turn|\/usage/.test(line));
    // A subagent's texts are not printed.
    case "2.1.7/subagent-foreground":
      return lines.filter((line) => !/^(?:prompt|text|thinking) in/.test(line));
    // The command is written after what it did.
    case "2.1.7/compaction-asked":
    case "2.1.325/compaction-asked":
      return lines.toSorted();
    default:
      return lines;
  }
}

describe("transcripts of the real program", () => {
  for (const name of all) {
    const folder = join(recordings, name);
    test(`[IM1] ${name}: its items are those of what the program printed`, async () => {
      const shown = play(await readTranscript(folder)).flatMap(describeItem);
      const printed = play(readWire(folder)).flatMap(describeItem);
      expect(select(name, shown)).toEqual(select(name, printed));
    });

    test(`[IM2] ${name}: read in parts of any size it gives the same lines`, async () => {
      const whole = await readTranscript(folder);
      for (const size of [999, 16_384]) expect(await readTranscript(folder, size)).toEqual(whole);
    });
  }
});
