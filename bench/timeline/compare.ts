// CPU per line for decode, normalize and reduce together, beside plain JSON.parse of the same lines in
// the same run; and the size of the state after ten thousand and after a million lines. Prints one JSON
// object; exits 1 when a bar is missed.
import { decode } from "@signalbox/protocol";
import { advance, initialTimeline, type TimelineState } from "@signalbox/timeline";
import { conversation } from "./conversation.ts";

const LINES = 200_000;
const ROUNDS = 9;
const BAR = 3;
const LONG = 1_000_000;

const lines = [...conversation(LINES)];

function cpuMicros(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

let parsed = 0;
let events = 0;
const parse: number[] = [];
const timeline: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  Bun.gc(true);
  parse.push(
    cpuMicros(() => {
      for (const { text } of lines) parsed += (JSON.parse(text) as { type: string }).type.length;
    }),
  );
  Bun.gc(true);
  timeline.push(
    cpuMicros(() => {
      let state = initialTimeline();
      for (const { from, text } of lines) {
        const step = advance(state, { from, line: decode(text) });
        state = step.state;
        events += step.events.length;
      }
    }),
  );
}

/** What the state holds: as stored, and on the heap when nothing else is. */
function stateAfter(count: number): { state: TimelineState; stored: number; heap: number } {
  let state = initialTimeline();
  for (const { from, text } of conversation(count))
    state = advance(state, { from, line: decode(text) }).state;
  const stored = JSON.stringify(state).length;
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  const copies = Array.from({ length: 200 }, () => structuredClone(state));
  Bun.gc(true);
  const heap = (process.memoryUsage().heapUsed - before) / copies.length;
  return { state, stored, heap: Math.max(0, Math.round(heap)) };
}
stateAfter(10_000); // the first measurement of a process pays for things that are not the state
const early = stateAfter(10_000);
const late = stateAfter(LONG);

// Of each round its own ratio: a busy moment of the machine meets both sides of it.
const ratio = median(timeline.map((cost, round) => cost / (parse[round] ?? 1)));
const stateRatio = late.stored / early.stored;
const heapRatio = late.heap / early.heap;
const passed = ratio <= BAR && stateRatio <= 1.1 && heapRatio <= 1.1;
console.log(
  JSON.stringify({
    benchmark: "timeline: decode, normalize and reduce a line",
    unit: "microseconds of CPU per line (median)",
    runtime: `bun ${Bun.version}`,
    lines: LINES,
    rounds: ROUNDS,
    ours: Number((median(timeline) / LINES).toFixed(3)),
    baseline: Number((median(parse) / LINES).toFixed(3)),
    baselineIs: "JSON.parse of the same lines",
    ratio: Number(ratio.toFixed(2)),
    bar: BAR,
    events: events / ROUNDS,
    parsed,
    state: {
      after10000: { storedBytes: early.stored, heapBytes: early.heap },
      after1000000: { storedBytes: late.stored, heapBytes: late.heap },
      ratio: Number(stateRatio.toFixed(3)),
      heapRatio: Number(heapRatio.toFixed(3)),
      bar: 1.1,
    },
    passed,
  }),
);
process.exit(passed ? 0 : 1);
