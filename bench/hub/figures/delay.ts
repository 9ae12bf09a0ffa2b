import { spawn } from "node:child_process";
import { join } from "node:path";
import { message } from "../lines.ts";
import { openStage } from "../real-runner.ts";
import { figure, type Figure } from "../rig.ts";
import { Viewer } from "../viewer.ts";

const LINES = 500;
const EVERY_MS = 10;

/** (f) From the agent's write, through runner and hub, to a client's receipt, beside a plain pipe. */
export async function delay(): Promise<Figure[]> {
  const ours = await throughAll();
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

async function throughAll(): Promise<number[]> {
  await using stage = await openStage(join(import.meta.dir, "../processes/stamping-agent.mjs"));
  const { rig } = stage;
  const session = await stage.session("go");
  const viewer = new Viewer(rig.url, rig.token, session);
  const delays = new Map<string, number>();
  let done = () => {};
  viewer.onFrame = (frame) => {
    if (frame.type !== "items") return;
    const now = performance.timeOrigin + performance.now();
    for (const item of frame.items) {
      const { id } = item;
      const text = item.kind === "text" ? item.text : "";
      if (id.startsWith("msg_") && !delays.has(id)) delays.set(id, now - Number(text));
    }
    if (delays.size >= LINES) done();
  };
  const all = new Promise<void>((resolve) => (done = resolve));
  await viewer.connect();
  await all;
  return [...delays.values()].slice(50); // what came before it watched was not on its way to it
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
