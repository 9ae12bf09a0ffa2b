import { expect, test } from "bun:test";
import { advance, initialTimeline, type TimelineState } from "@signalbox/timeline";
import { recordings } from "../../protocol/test/recordings.ts";
import { logLine } from "./play.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every way to the fields of a value, down to the leaves; of a list only its first two entries. */
function* paths(value: Json, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) {
    for (const [i, part] of value.slice(0, 2).entries()) yield* paths(part, [...path, i]);
  } else if (value !== null && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) yield* paths(part, [...path, key]);
  }
}

function changed(value: Json, [step, ...rest]: (string | number)[], to: Json | undefined): Json {
  if (step === undefined) return to ?? null;
  if (Array.isArray(value))
    return value.map((part, i) => (i === step ? changed(part, rest, to) : part));
  const copy = { ...(value as { [key: string]: Json }) };
  if (rest.length === 0 && to === undefined) delete copy[step];
  else copy[step] = changed(copy[step] ?? null, rest, to);
  return copy;
}

const huge = "x".repeat(100_000);
const instead: (Json | undefined)[] = [
  undefined,
  null,
  7,
  "text",
  true,
  [],
  {},
  [{}],
  -1e308,
  huge,
  "constructor",
  "__proto__",
];

test("[TL50] every field of every recorded line removed, nulled, retyped or made huge: never a throw, always an event", () => {
  let tried = 0;
  const seen = new Set<string>();
  for (const [, said] of recordings()) {
    let state: TimelineState = initialTimeline();
    for (const line of said) {
      const message = JSON.parse(line.text) as Json;
      for (const path of paths(message)) {
        const { type, subtype } = message as { type?: string; subtype?: string };
        const shape = `${type}/${subtype ?? ""}/${line.from}/${path.map((step) => (typeof step === "number" ? "#" : step)).join(".")}`;
        if (seen.has(shape)) continue; // the same field of the same message, elsewhere
        seen.add(shape);
        for (const to of instead) {
          const text = JSON.stringify(changed(message, path, to));
          const { events } = advance(state, logLine({ from: line.from, text }));
          if (events.length === 0) throw new Error(`no event: ${text.slice(0, 300)}`);
          tried++;
        }
      }
      state = advance(state, logLine(line)).state;
    }
  }
  expect(tried).toBeGreaterThan(5000);
});
