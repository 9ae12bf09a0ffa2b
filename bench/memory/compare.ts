// What it costs to import, search and open Claude Code's own sessions: a real hub and runner with 1,000 synthetic
// transcripts of 1 MB, each figure beside a baseline of the same run. `SIGNALBOX_BENCH_TRANSCRIPTS=50` takes fewer.
// Prints one JSON object a figure; exits 1 when a bar is missed.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundledAgent } from "@signalbox/host/agents";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { type Figure, figure } from "../hub/rig.ts";
import { runFigures } from "../run-figures.ts";
import { createRandom, getRareWord, pickWord, writeTranscript } from "./transcripts.ts";

const COUNT = Number(process.env["SIGNALBOX_BENCH_TRANSCRIPTS"] ?? 1000);
const BYTES = 1_000_000;
const QUERIES = 200;
const RG_QUERIES = 20;
const OPENINGS = 15;
const MB = 1e6;
const LONG_SESSION = 1_000_001;
const SHORT_SESSION = 1_000_002;

async function measure(): Promise<Figure[]> {
  await using hub = await openHubStage();
  const { admin, place } = hub;
  await admin.setImport({ on: false, folders: [] });
  const projects = join(place, "home/.claude/projects");
  mkdirSync(projects, { recursive: true });
  let bytes = 0;
  for (let session = 0; session < COUNT; session++) {
    bytes += writeTranscript(projects, session, BYTES);
  }
  const bare = spawnSync(process.execPath, [
    join(import.meta.dir, "bare-index.ts"),
    projects,
    join(place, "bare.sqlite"),
  ]);
  const bareMs = Number(bare.stdout.toString());

  const readMemory = () => {
    const status = readFileSync(`/proc/${hub.serving.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  let early: number | undefined;
  const untilCopied = async (count: number) => {
    for (;;) {
      const copied = (await admin.importStatus()).machines[0]?.copied ?? 0;
      if (early === undefined && copied >= COUNT / 10) early = readMemory();
      const { pending } = await admin.search("word1", { limit: 1 });
      if (copied >= count && pending === 0) return;
      await Bun.sleep(100);
    }
  };
  const began = performance.now();
  await admin.setImport({ on: true, folders: [] });
  await admin.importNow();
  await untilCopied(COUNT);
  const importMs = performance.now() - began;
  const late = readMemory();

  const queries = createQueries();
  const idle = await timeQueries(admin, queries);
  const grep = timeGrep(projects, queries);
  for (let session = COUNT; session < COUNT + Math.max(10, COUNT / 10); session++) {
    writeTranscript(projects, session, BYTES);
  }
  await admin.importNow();
  const busy = await timeQueries(admin, queries);

  writeTranscript(projects, LONG_SESSION, 50 * MB);
  writeTranscript(projects, SHORT_SESSION, MB / 2);
  await admin.importNow();
  await untilCopied(COUNT + Math.max(10, COUNT / 10) + 2);
  const [long, short] = await timeOpenings(admin);
  const size = statSync(join(place, "bare.sqlite")).size;
  return [
    figure({
      figure: "import",
      what: "import without pauses",
      unit: "MB/s",
      ours: bytes / MB / (importMs / 1000),
      baseline: bytes / MB / (bareMs / 1000),
      baselineIs: "parsing the same files and inserting their texts into a bare FTS5 table",
      bar: 0.5,
      better: "higher",
      more: { transcripts: COUNT, bytes, bareIndexBytes: size },
    }),
    figure({
      figure: "memory",
      what: "memory of the hub at the end of the import",
      unit: "MB",
      ours: late,
      baseline: (early ?? late) + 100,
      baselineIs: "100 MB more than after a tenth of it",
      bar: 1,
      better: "lower",
    }),
    figure({
      figure: "search",
      what: `p95 of ${QUERIES} searches`,
      unit: "ms",
      ours: idle,
      baseline: grep,
      baselineIs: "rg over the same files",
      bar: 1 / 20,
      better: "lower",
    }),
    figure({
      figure: "search-while-importing",
      what: "p95 of the same searches while more is imported",
      unit: "ms",
      ours: busy,
      baseline: idle,
      baselineIs: "when nothing is imported",
      bar: 2,
      better: "lower",
    }),
    figure({
      figure: "open",
      what: "open an imported session of 50 MB",
      unit: "ms",
      ours: long,
      baseline: short,
      baselineIs: "one of 500 kB",
      bar: 1.5,
      better: "lower",
    }),
  ];
}

/** Frequent and rare words, phrases, beginnings, parts and filters. */
function createQueries(): { readonly query: string; readonly word: string }[] {
  const random = createRandom(7);
  return Array.from({ length: QUERIES }, (_, nth) => {
    const session = Math.floor(random() * COUNT);
    const rare = getRareWord(session, 3 + 4 * Math.floor(random() * 50));
    const word = pickWord(random);
    const forms = [rare, word, `${word} ${pickWord(random)}`, `${word.slice(0, -1)}*`];
    const query = forms[nth % forms.length] ?? word;
    return {
      query: nth % 10 === 9 ? `${query} project:project3` : query,
      word: nth % 4 ? word : rare,
    };
  });
}

type Admin = Awaited<ReturnType<typeof openHubStage>>["admin"];

async function timeQueries(
  admin: Admin,
  queries: readonly { readonly query: string }[],
): Promise<number> {
  const times: number[] = [];
  for (const { query } of queries) {
    const began = performance.now();
    await admin.search(query, { limit: 20 });
    times.push(performance.now() - began);
  }
  return getQuantile(times, 0.95);
}

/** `rg` as Claude Code brings it: its program is ripgrep when it is called by that name. */
function timeGrep(projects: string, queries: readonly { readonly word: string }[]): number {
  const times = queries.slice(0, RG_QUERIES).map(({ word }) => {
    const began = performance.now();
    spawnSync(bundledAgent() ?? "rg", ["-F", "-c", word, projects], { argv0: "rg" });
    return performance.now() - began;
  });
  return getQuantile(times, 0.95);
}

/** The medians for the long and the short session, in turns. */
async function timeOpenings(admin: Admin): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < OPENINGS; round++) {
    for (const [nth, session] of [LONG_SESSION, SHORT_SESSION].entries()) {
      const id = `00000000-0000-4000-8000-${String(session).padStart(12, "0")}`;
      const began = performance.now();
      await Promise.all([admin.session(id), admin.items(id, { limit: 50 })]);
      times[nth]?.push(performance.now() - began);
    }
  }
  return [getQuantile(times[0], 0.5), getQuantile(times[1], 0.5)];
}

function getQuantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

await runFigures("memory", { all: measure });
