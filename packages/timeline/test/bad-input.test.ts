import { expect, setDefaultTimeout, test } from "bun:test";
import { decode } from "@signalbox/protocol";
import { advance, createTimeline, type TimelineState } from "@signalbox/timeline";
import { splitState } from "@signalbox/timeline/state";
import * as fc from "fast-check";
import { changed, instead, type Json, paths } from "@signalbox/testing/damage";
import { recordings } from "@signalbox/testing/recordings";
import { logLine, note, runEnded, runStarted, type Said } from "./play.ts";

setDefaultTimeout(180_000);

const huge = "x".repeat(100_000);
/** To a line of a new shape everything is done; to one of a known shape one thing a field, in turn. */
const all: (Json | undefined)[] = [...instead, huge];

/** What a message consists of, whatever its values: lines of one shape are read in one way. */
function describeShape(value: Json): string {
  if (Array.isArray(value)) return `[${value.slice(0, 2).map(describeShape).join()}]`;
  if (value === null || typeof value !== "object") return typeof value;
  const { type, subtype, name } = value;
  const kind = [type, subtype, name].filter((word) => typeof word === "string").join("/");
  const fields = Object.entries(value).map(([key, part]) => `${key}:${describeShape(part)}`);
  return `${kind}{${fields.toSorted().join()}}`;
}

/** What comes after a damaged line must be understood all the same. */
function survives(state: TimelineState, said: Said, next: readonly Said[]): void {
  const { events, state: after } = advance(state, logLine(said));
  if (events.length === 0) throw new Error(`no event: ${said.text.slice(0, 300)}`);
  let at = after;
  for (const line of next) at = advance(at, logLine(line)).state;
  JSON.stringify(splitState(at).rest);
}

test("[TL50] every field of every recorded line damaged, of every shape of line in every way: never a throw, always an event", () => {
  let tried = 0;
  const shapes = new Set<string>();
  for (const [, said] of recordings()) {
    let state: TimelineState = createTimeline();
    for (const [at, line] of said.entries()) {
      const message = JSON.parse(line.text) as Json;
      const shape = `${line.from} ${describeShape(message)}`;
      const known = shapes.has(shape);
      for (const path of paths(message)) {
        const damages = known ? [all[tried % all.length]] : all;
        for (const to of damages) {
          const text = JSON.stringify(changed(message, path, to));
          const next = tried % 16 === 0 ? said.slice(at, at + 3) : [];
          survives(state, { from: line.from, text }, next);
          tried++;
        }
      }
      shapes.add(shape);
      state = advance(state, logLine(line)).state;
    }
  }
  expect(tried).toBeGreaterThan(100_000);
});

test("[TL50] every field of every note damaged: never a throw, always an event", () => {
  const block = { lane: "main", messageId: "m1", index: 0, kind: "text", text: "x" };
  const ask = { requestId: "q1", kind: "permission", title: "ls" } as const;
  const notes: Said[] = [
    runStarted("resumed", { leftOut: [{ option: "effort", why: "old" }] }),
    note("ask_opened", { ...ask, tool: "Bash", callId: "t1", input: {}, suggestions: [] }),
    note("ask_closed", { requestId: "q1", how: "answered", behavior: "allow", by: "Ada" }),
    note("text_kept", { blocks: [block, { ...block, index: 1, kind: "tool", name: "Bash" }] }),
    note("remark", { level: "info", text: "x" }),
    runEnded("crashed"),
  ];
  const story = [...(recordings().get("2.1.325/tool-allowed.ndjson") ?? [])];
  let state = createTimeline();
  for (const line of story.slice(0, 25)) state = advance(state, logLine(line)).state;
  for (const { from, text } of notes) {
    const message = JSON.parse(text) as Json;
    for (const path of paths(message)) {
      for (const to of all) {
        survives(state, { from, text: JSON.stringify(changed(message, path, to)) }, notes);
      }
    }
    state = advance(state, logLine({ from, text })).state;
  }
});

test("[TL43] whatever a line is, what is no message that we know is shown as it came, letter for letter", () => {
  const corpus = [
    "",
    " ",
    "null",
    "[]",
    "{}",
    "{",
    '{"type":1}',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
    '{"type":"from_the_future","subtype":"x"}',
    '{"type":"assistant"}',
    '{"type":"assistant","message":{"content":7}}{"type":"user"}',
    "Error: cannot find module\u001b[2J",
    "\uFEFF{}",
    "\uD800",
    "[".repeat(100_000),
  ];
  const whole = fc.string({ unit: "binary" });
  const shaped = fc
    .record({ type: fc.string(), subtype: fc.string() })
    .map((v) => JSON.stringify(v));
  const broken = fc
    .tuple(shaped, fc.nat(40))
    .map(([text, at]) => text.slice(0, at) + text.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...corpus), whole, shaped, broken), (text) => {
      const line = decode(text);
      if (line.kind === "known") return;
      const step = advance(createTimeline(), { from: "agent", line });
      expect(step.changed).toContainEqual(expect.objectContaining({ kind: "opaque", raw: text }));
    }),
    { numRuns: 2000 },
  );
});
