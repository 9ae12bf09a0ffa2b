import { spawn } from "node:child_process";
import { init, message } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";
import { Viewer } from "../viewer.ts";

const LINES = 500;
const EVERY_MS = 10;

/** (f) From the agent's write to the client's receipt of a settled line, beside a plain pipe. */
export async function delay(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  await rig.feeder.stored(session);
  const viewer = new Viewer(rig.url, rig.token, session);
  const arrived = new Map<string, number>();
  viewer.onFrame = (frame) => {
    if (frame.type !== "items") return;
    for (const { id } of frame.items) if (!arrived.has(id)) arrived.set(id, performance.now());
  };
  await viewer.connect();
  await viewer.live();
  const written = new Map<string, number>();
  for (let n = 0; n < LINES; n++) {
    written.set(`msg_${n}/0`, performance.now());
    await rig.feeder.feed(session, [message(`msg_${n}`, `words ${n}`)]);
    await Bun.sleep(EVERY_MS);
  }
  while (arrived.size < LINES) await Bun.sleep(10);
  const ours = [...written].map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at);
  const pipe = await throughPipe();
  const more = percentile(ours, 0.99) - percentile(pipe, 0.99);
  return [
    figure({
      figure: "f",
      what: "delay of a settled line, p99 over that of a pipe",
      unit: "milliseconds",
      ours: percentile(ours, 0.99),
      baseline: percentile(pipe, 0.99),
      baselineIs: "cat",
      ratio: more,
      bar: 50,
      better: "lower",
      more: {
        p50: round(percentile(ours, 0.5)),
        pipeP50: round(percentile(pipe, 0.5)),
        moreMs: round(more),
      },
    }),
  ];
}

async function throughPipe(): Promise<number[]> {
  const cat = spawn("cat", { stdio: ["pipe", "pipe", "ignore"] });
  const delays: number[] = [];
  for (let n = 0; n < LINES; n++) {
    const line = `${message(`msg_${n}`, `words ${n}`)}\n`;
    const start = performance.now();
    const read = new Promise<void>((resolve) => cat.stdout.once("data", () => resolve()));
    cat.stdin.write(line);
    await read;
    delays.push(performance.now() - start);
    await Bun.sleep(EVERY_MS);
  }
  cat.kill();
  return delays;
}

const round = (value: number) => Number(value.toFixed(2));
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
