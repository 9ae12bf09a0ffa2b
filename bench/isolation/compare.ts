// What isolation costs: what it adds to the start of a process and to the CPU time of a session's start with
// the real Claude Code, beside the start of `true` under bubblewrap, and the CPU time of a turn with a
// command. All are medians over pairs, isolated and not, one directly after the other: what else the machine
// does meets both. Prints one JSON object a figure; exits 1 when a bar is missed, 2 without bubblewrap.
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

const STARTS = 15;
const TRUE_STARTS = 51;
const CPU_ROUNDS = 21;
const TURNS = 12;
const START_BAR_MS = 50;
const TURN_BAR = 1.05;
/** CPU time that the calibration takes on the machine on which the bar was set. */
const CALIBRATION_MS = 55;
const TICK_MS = 10;

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
const isolation = new Isolation({ hide: [data] });
const driver = stdioDriver({ isolation });

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

function timed(run: () => void): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/** How much slower this machine's processor is right now than that on which the bar was set; at least 1. */
function slowness(): number {
  const block = Buffer.alloc(1 << 20, 7);
  const once = () => {
    const before = process.cpuUsage();
    const hash = createHash("sha256");
    for (let n = 0; n < 64; n++) hash.update(block);
    hash.digest();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.max(1, median([once(), once(), once()]) / CALIBRATION_MS);
}

/** Measures both ways, alternately first, and gives what each pair brought. */
async function pairs<T>(
  count: number,
  measure: (profile: "default" | "off") => Promise<T>,
): Promise<{ readonly isolated: T; readonly plain: T }[]> {
  const measured: { isolated: T; plain: T }[] = [];
  for (let n = 0; n < count; n++) {
    const first = await measure(n % 2 === 0 ? "default" : "off");
    const second = await measure(n % 2 === 0 ? "off" : "default");
    const [isolated, plain] = n % 2 === 0 ? [first, second] : [second, first];
    measured.push({ isolated, plain });
  }
  return measured;
}

/** How long `true` takes, started as an agent is: what is hidden is looked up anew, too. */
async function trueMs(profile: "default" | "off"): Promise<number> {
  const began = performance.now();
  const plan = await isolation.plan({ folder, isolation: profile }, folder, { HOME: home });
  const { command, args } = plan.wrap({ command: "true", args: [], env: {} });
  const { status } = spawnSync(command, args);
  if (status !== 0) throw new Error(`${command} failed`);
  return performance.now() - began;
}

/** The CPU time of a session's start, in the agent's processes and in this one, and how long it took. */
async function sessionStart(profile: "default" | "off") {
  const marker = crypto.randomUUID();
  const [began, before] = [performance.now(), process.cpuUsage()];
  const host = await start(profile, marker);
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  const cpuMs = cpuTicks(marker) * TICK_MS + (user + system) / 1000;
  await host.stop();
  return { wallMs, cpuMs };
}

async function starts() {
  await pairs(1, trueMs); // the first one finds bubblewrap, and fills the caches
  const processes = await pairs(TRUE_STARTS, trueMs);
  const added = median(processes.map(({ isolated, plain }) => isolated - plain));
  const args = ["--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"];
  const wrapped = Array.from({ length: TRUE_STARTS }, () =>
    timed(() => spawnSync(bubblewrap as string, args)),
  );
  await pairs(1, sessionStart);
  const slow = [slowness()];
  const sessions = await pairs(STARTS, (profile) => {
    if (profile === "off") slow.push(slowness());
    return sessionStart(profile);
  });
  const cpuAdded = median(sessions.map(({ isolated, plain }) => isolated.cpuMs - plain.cpuMs));
  const wallAdded = median(sessions.map(({ isolated, plain }) => isolated.wallMs - plain.wallMs));
  const scale = median(slow);
  const bar = {
    unit: "ms",
    baseline: START_BAR_MS * scale,
    baselineIs: "50 ms, scaled by a calibration task of the same run",
    bar: 1,
    better: "lower",
  } as const;
  const round = (value: number) => Number(value.toFixed(1));
  return [
    figure({
      ...bar,
      figure: "start",
      what: "what isolation adds to the start of a process as an agent is started",
      ours: added,
      more: {
        trueAsAnAgentMs: round(median(processes.map(({ isolated }) => isolated))),
        trueUnderBubblewrapMs: round(median(wrapped)),
        trueMs: round(median(processes.map(({ plain }) => plain))),
        scale: Number(scale.toFixed(2)),
      },
    }),
    figure({
      ...bar,
      figure: "start-cpu",
      what: "CPU time that isolation adds to the start of a session",
      ours: cpuAdded,
      more: {
        isolatedCpuMs: round(median(sessions.map(({ isolated }) => isolated.cpuMs))),
        plainCpuMs: round(median(sessions.map(({ plain }) => plain.cpuMs))),
        isolatedMs: round(median(sessions.map(({ isolated }) => isolated.wallMs))),
        plainMs: round(median(sessions.map(({ plain }) => plain.wallMs))),
        addedMs: round(wallAdded),
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
  const measured = await pairs(CPU_ROUNDS, turnTicks);
  const ratios = measured.map(({ isolated, plain }) => isolated / plain);
  const perTurn = (ticks: readonly number[]) => (median(ticks) * TICK_MS) / TURNS;
  return [
    figure({
      figure: "turn",
      what: "CPU time of a turn with a command, isolated",
      unit: "ms",
      ours: perTurn(measured.map(({ isolated }) => isolated)),
      baseline: perTurn(measured.map(({ plain }) => plain)),
      baselineIs: "the same turn, not isolated",
      ratio: median(ratios),
      bar: TURN_BAR,
      better: "lower",
      more: { ratios: ratios.map((ratio) => Number(ratio.toFixed(3))) },
    }),
  ];
}

await runFigures("isolation", { start: starts, turn: turns });
