// What isolation costs: the start of a session with the real Claude Code, isolated and not, beside the
// start of `true` under bubblewrap, and the CPU time of a turn with a command. Prints one JSON object a
// figure; exits 1 when a bar is missed, 2 where there is no bubblewrap.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "@signalbox/model";
import { bundledAgent } from "@signalbox/host/agents";
import { findBubblewrap, Isolation } from "@signalbox/host/isolation";
import { Host, stdioDriver } from "@signalbox/host";
import { markedProcesses } from "@signalbox/host/agents";
import { figure } from "../hub/rig.ts";
import { runFigures } from "../run-figures.ts";

const STARTS = 16;
const TRUE_STARTS = 30;
const CPU_ROUNDS = 8;
const TURNS = 12;
const START_BAR_MS = 50;
const TURN_BAR = 1.05;
/** What the calibration takes on the machine on which the bar was set, with nothing else to do. */
const CALIBRATION_MS = 55;

const { path: bubblewrap, why } = await findBubblewrap();
if (bubblewrap === undefined) {
  console.error(`There is nothing to measure: ${why}.`);
  process.exit(2);
}

const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-bench-")));
process.on("exit", () => rmSync(place, { recursive: true, force: true }));
const [home, folder, data] = ["home", "work", "data"].map((name) => join(place, name)) as [
  string,
  string,
  string,
];
for (const made of [home, folder, data]) mkdirSync(made);
const model = await startModel({ script: "" });
const driver = stdioDriver({ isolation: new Isolation({ hide: [data] }) });

/** Starts a session; `marker` finds its processes. */
function start(isolation: "default" | "off", marker = "none") {
  return Host.start(
    driver,
    {
      folder,
      isolation,
      agentPath: bundledAgent() ?? "",
      inheritFrom: { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8" },
      environment: {
        BENCH_MARKER: marker,
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "dummy-key-for-benchmarks",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    },
    { onAsk: () => ({ behavior: "allow" }) },
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A quarter of the values are below: what other work on the machine adds is mostly above. */
function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}

function timed(run: () => void): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/** How much slower this machine is right now than the one on which the bar was set; at least 1. */
function slowness(): number {
  const block = Buffer.alloc(1 << 20, 7);
  const once = () =>
    timed(() => {
      const hash = createHash("sha256");
      for (let n = 0; n < 64; n++) hash.update(block);
      hash.digest();
    });
  return Math.max(1, median([once(), once(), once()]) / CALIBRATION_MS);
}

async function startMs(isolation: "default" | "off"): Promise<number> {
  const began = performance.now();
  const host = await start(isolation);
  const took = performance.now() - began;
  await host.stop();
  return took;
}

async function starts() {
  await startMs("default"); // the first one finds bubblewrap, and fills the caches
  await startMs("off");
  const [isolated, plain, slow]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < STARTS; n++) {
    slow.push(slowness());
    // Alternately first, so that what changes meanwhile meets both.
    if (n % 2 === 0) isolated.push(await startMs("default"));
    plain.push(await startMs("off"));
    if (n % 2 === 1) isolated.push(await startMs("default"));
  }
  const args = ["--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"];
  const wrapped = Array.from({ length: TRUE_STARTS }, () =>
    timed(() => spawnSync(bubblewrap as string, args)),
  );
  const bare = Array.from({ length: TRUE_STARTS }, () => timed(() => spawnSync("true")));
  const added = lowerQuartile(isolated) - lowerQuartile(plain);
  const scale = median(slow);
  return [
    figure({
      figure: "start",
      what: "what isolation adds to the start of a session",
      unit: "ms",
      ours: added,
      baseline: START_BAR_MS * scale,
      baselineIs: "50 ms, scaled by a calibration task of the same run",
      bar: 1,
      better: "lower",
      more: {
        isolatedMs: Math.round(median(isolated)),
        plainMs: Math.round(median(plain)),
        trueUnderBubblewrapMs: Number(median(wrapped).toFixed(1)),
        trueMs: Number(median(bare).toFixed(1)),
        scale: Number(scale.toFixed(2)),
      },
    }),
  ];
}

/** The CPU time so far of all processes with this marker and of those that they have waited for. */
function cpuTicks(marker: string): number {
  return markedProcesses(`BENCH_MARKER=${marker}`).reduce((sum, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return sum + [11, 12, 13, 14].reduce((all, at) => all + Number(fields[at]), 0);
  }, 0);
}

/** CPU ticks that so many turns with a command take, without the start. */
async function turnTicks(isolation: "default" | "off"): Promise<number> {
  const marker = crypto.randomUUID();
  const host = await start(isolation, marker);
  const results = host.lines[Symbol.asyncIterator]();
  const turn = async () => {
    await host.prompt({ text: '::tool Bash {"command":"true"}\n::say done' });
    for (;;) {
      const { value, done } = await results.next();
      if (done) throw new Error("the agent left");
      const isResult = value.some(
        (line) => line.kind === "known" && line.message.type === "result",
      );
      if (isResult) return;
    }
  };
  await turn(); // the first one loads what the others have
  const before = cpuTicks(marker);
  for (let n = 0; n < TURNS; n++) await turn();
  const ticks = cpuTicks(marker) - before;
  await host.stop();
  return ticks;
}

async function turns() {
  const ratios: number[] = [];
  let [isolated, plain] = [0, 0];
  for (let n = 0; n < CPU_ROUNDS; n++) {
    // Alternately first, so that what changes meanwhile meets both.
    const order = n % 2 === 0 ? (["default", "off"] as const) : (["off", "default"] as const);
    const ticks = { default: 0, off: 0 };
    for (const profile of order) ticks[profile] = await turnTicks(profile);
    isolated += ticks.default;
    plain += ticks.off;
    ratios.push(ticks.default / ticks.off);
  }
  const perTurn = (ticks: number) => (ticks * 10) / (CPU_ROUNDS * TURNS);
  return [
    figure({
      figure: "turn",
      what: "CPU time of a turn with a command, isolated",
      unit: "ms",
      ours: perTurn(isolated),
      baseline: perTurn(plain),
      baselineIs: "the same turn, not isolated",
      ratio: isolated / plain,
      bar: TURN_BAR,
      better: "lower",
      more: { ratios: ratios.map((ratio) => Number(ratio.toFixed(3))) },
    }),
  ];
}

await runFigures("isolation", { start: starts, turn: turns });
