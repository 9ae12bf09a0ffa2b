// Events per CPU-second of our host and of the official SDK, with the same emitting program, in the
// same run, on the same runtime. Prints one JSON object; exits 1 when the bar is missed.
import { join } from "node:path";

const EVENTS = 200_000;
const ROUNDS = 5;
const BAR = 1.5;

type Run = { events: number; characters: number; cpuSeconds: number };

async function measure(script: string): Promise<Run> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script)], {
    env: { PATH: process.env["PATH"], EMIT_EVENTS: String(EVENTS) },
    stderr: "inherit",
  });
  return JSON.parse(await new Response(child.stdout).text()) as Run;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

// The two take turns, so that a busy moment of the machine meets both.
const ours: Run[] = [];
const sdk: Run[] = [];
for (let round = 0; round < ROUNDS; round++) {
  ours.push(await measure("ours.ts"));
  sdk.push(await measure("sdk.ts"));
}
const speed = (runs: Run[]) => median(runs.map(({ events, cpuSeconds }) => events / cpuSeconds));
const all = [...ours, ...sdk];
const agree = all.every(
  ({ events, characters }) => events === EVENTS && characters === all[0]?.characters,
);
const ratio = speed(ours) / speed(sdk);
const passed = agree && ratio >= BAR;
console.log(
  JSON.stringify({
    benchmark: "host: stream_event lines taken, decoded and summed",
    unit: "events per CPU-second (median)",
    runtime: `bun ${Bun.version}`,
    events: EVENTS,
    rounds: ROUNDS,
    ours: Math.round(speed(ours)),
    baseline: Math.round(speed(sdk)),
    baselineIs: "query() of @anthropic-ai/claude-agent-sdk",
    ratio: Number(ratio.toFixed(2)),
    bar: BAR,
    sumsAgree: agree,
    characters: all[0]?.characters,
    passed,
  }),
);
process.exit(passed ? 0 : 1);
