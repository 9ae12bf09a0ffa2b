// signalbox-agent beside the real Claude Code, driven the same way with the same scripted model in the
// same run: start to ready, CPU per 10,000 streamed tokens, peak memory. Prints one JSON object a
// figure; exits 1 when a bar is missed.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModel } from "@signalbox/model";
import { bundledAgent } from "@signalbox/host/agents";

const TOKENS = 10_000;
const ROUNDS = 5;

const programs = {
  ours: [
    process.execPath,
    join(import.meta.dir, "../../packages/reference-agent/bin/signalbox-agent.mjs"),
  ],
  baseline: [bundledAgent() ?? ""],
};
type Name = keyof typeof programs;

const flags =
  "--print --output-format stream-json --input-format stream-json --verbose --include-partial-messages --permission-prompt-tool stdio";

interface Run {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
  readonly deltas: number;
}

const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-bench-")));
await using model = await startModel({ script: "" });

/** One process: initialized, one prompt, to its end. */
async function run(name: Name, prompt: string): Promise<Run> {
  const home = join(place, name);
  const folder = join(place, "work");
  for (const made of [home, folder]) mkdirSync(made, { recursive: true });
  const began = performance.now();
  const child = Bun.spawn([...programs[name], ...flags.split(" ")], {
    cwd: folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: {
      HOME: home,
      PATH: process.env["PATH"],
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy-key-for-benchmarks",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });
  const send = (message: object) => {
    void child.stdin.write(`${JSON.stringify(message)}\n`);
    void child.stdin.flush();
  };
  send({ type: "control_request", request_id: "1", request: { subtype: "initialize" } });
  let readyMs = 0;
  let deltas = 0;
  let peakBytes = 0;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.includes('"text_delta"')) deltas++;
      else if (readyMs === 0 && line.includes('"control_response"')) {
        readyMs = performance.now() - began;
        const message = { role: "user", content: prompt };
        send({ type: "user", message, parent_tool_use_id: null, session_id: "" });
      } else if (line.includes('"type":"result"')) {
        peakBytes = highWater(child.pid);
        void child.stdin.end();
      }
    }
  }
  await child.exited;
  const usage = child.resourceUsage();
  return {
    readyMs,
    deltas,
    cpuMs: Number(usage?.cpuTime.total ?? 0) / 1000,
    peakBytes: peakBytes || (usage?.maxRSS ?? 0),
  };
}

/** A child's own peak. The kernel's `maxRSS` begins with what its parent, this benchmark, had. */
function highWater(pid: number): number {
  if (process.platform !== "linux") return 0;
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const taken: Record<Name, { short: Run[]; long: Run[] }> = {
  ours: { short: [], long: [] },
  baseline: { short: [], long: [] },
};
// They take turns, so that a busy moment of the machine meets both.
for (let round = 0; round < ROUNDS; round++) {
  for (const name of ["ours", "baseline"] as const) {
    taken[name].short.push(await run(name, "Hello\n::say w1"));
    taken[name].long.push(await run(name, `Hello\n::flood ${TOKENS}`));
  }
}
rmSync(place, { recursive: true, force: true, maxRetries: 5 });

const of = (name: Name, kind: "short" | "long", field: keyof Run) =>
  median(taken[name][kind].map((one) => one[field]));
/** What streaming adds to a run that says one word. */
const streaming = (name: Name) => of(name, "long", "cpuMs") - of(name, "short", "cpuMs");
const figures = [
  {
    figure: "start to ready",
    unit: "ms",
    bar: 1 / 5,
    value: (name: Name) => of(name, "short", "readyMs"),
  },
  { figure: `CPU per ${TOKENS} streamed tokens`, unit: "ms", bar: 1 / 5, value: streaming },
  {
    figure: "peak RSS",
    unit: "MB",
    bar: 1 / 3,
    value: (name: Name) => of(name, "long", "peakBytes") / 1e6,
  },
].map(({ figure, unit, bar, value }) => {
  const [ours, baseline] = [value("ours"), value("baseline")];
  const ratio = ours / baseline;
  const passed = ratio <= bar && of("ours", "long", "deltas") === of("baseline", "long", "deltas");
  const round = (number: number) => Number(number.toFixed(3));
  return {
    benchmark: "agent",
    figure,
    unit,
    ours: round(ours),
    baseline: round(baseline),
    baselineIs: "Claude Code 2.1.325",
    ratio: round(ratio),
    bar: round(bar),
    rounds: ROUNDS,
    passed,
  };
});
for (const figure of figures) console.log(JSON.stringify(figure));
process.exit(figures.every(({ passed }) => passed) ? 0 : 1);
