// CPU per line for decode, normalize and reduce together, beside plain JSON.parse of the same lines in
// the same run, for a conversation that is streamed and for one of whole messages; and the size of the
// state after ten thousand and after a million lines. Prints one JSON object; exits 1 when a bar is missed.
import { decode } from "@signalbox/protocol";
import { advance, createTimeline } from "@signalbox/timeline";
import { splitState } from "@signalbox/timeline/state";
import { streamed, whole } from "./conversation.ts";

const ROUNDS = 9;
const LONG = 1_000_000;
const mixes = [
  { mix: "streamed", from: streamed, lines: 200_000, bar: 3 },
  { mix: "whole messages", from: whole, lines: 60_000, bar: 6 },
];

function cpuMicros(work: () => void): number {
  Bun.gc(true);
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const rounded = (value: number) => Number(value.toFixed(3));

function compare({ mix, from, lines: count, bar }: (typeof mixes)[number]) {
  const lines = [...from(count)];
  let parsed = 0;
  let events = 0;
  const parse: number[] = [];
  const timeline: number[] = [];
  const parseAll = () => {
    for (const { text } of lines) parsed += (JSON.parse(text) as { type: string }).type.length;
  };
  const advanceAll = () => {
    let state = createTimeline();
    for (const { from, text } of lines) {
      const step = advance(state, { from, line: decode(text) });
      state = step.state;
      events += step.events.length;
    }
  };
  advanceAll(); // what is measured is work, not the compiler
  for (let round = 0; round < ROUNDS; round++) {
    parse.push(cpuMicros(parseAll));
    timeline.push(cpuMicros(advanceAll));
  }
  // Of each round its own ratio: a busy moment of the machine meets both sides of it.
  const ratio = median(timeline.map((cost, round) => cost / (parse[round] ?? 1)));
  return {
    mix,
    lines: lines.length,
    ours: rounded(median(timeline) / lines.length),
    baseline: rounded(median(parse) / lines.length),
    ratio: rounded(ratio),
    bar,
    events: events / (ROUNDS + 1),
    parsed: parsed / ROUNDS,
    passed: ratio <= bar,
  };
}

/** What the state holds: as stored, of that what is written with every line, and on the heap. */
function stateAfter(count: number) {
  let state = createTimeline();
  for (const { from, text } of streamed(count))
    state = advance(state, { from, line: decode(text) }).state;
  const storedBytes = JSON.stringify(state).length;
  const withEveryLine = JSON.stringify(splitState(state).rest).length;
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  const copies = Array.from({ length: 200 }, () => structuredClone(state));
  Bun.gc(true);
  const heapBytes = Math.round((process.memoryUsage().heapUsed - before) / copies.length);
  return { storedBytes, withEveryLine, heapBytes: Math.max(0, heapBytes) };
}

const compared = mixes.map(compare);
stateAfter(10_000); // the first measurement of a process pays for things that are not the state
const early = stateAfter(10_000);
const late = stateAfter(LONG);
const ratio = rounded(late.storedBytes / early.storedBytes);
const heapRatio = rounded(late.heapBytes / early.heapBytes);
const state = { after10000: early, after1000000: late, ratio, heapRatio, bar: 1.1 };
const passed = compared.every((mix) => mix.passed) && ratio <= 1.1 && heapRatio <= 1.1;
console.log(
  JSON.stringify({
    benchmark: "timeline: decode, normalize and reduce a line",
    unit: "microseconds of CPU per line (median)",
    runtime: `bun ${Bun.version}`,
    rounds: ROUNDS,
    baselineIs: "JSON.parse of the same lines",
    compared,
    state,
    passed,
  }),
);
process.exit(passed ? 0 : 1);
