// `npm run bench` runs every benchmark, prints a table and one JSON report, and exits with 1 if a bar is missed.
// `-- hub web` runs some of them; `-- --write` also writes docs/performance.md and its plot.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { formatPage, formatPlot, formatTable } from "./report/format.ts";
import { readResults, type BenchmarkResult } from "./report/results.ts";

const root = join(import.meta.dir, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false } },
});
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const names = Object.keys(scripts).flatMap((name) => /^bench:(.+)$/.exec(name)?.[1] ?? []);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`bench: there is no ${unknown.join(", ")}. There are ${names.join(", ")}.`);
  process.exit(2);
}

const results: BenchmarkResult[] = [];
const failed: string[] = [];
for (const name of positionals.length > 0 ? positionals : names) {
  console.error(`bench: ${name}…`);
  const { lines, exitCode } = await run(name);
  results.push(...lines.flatMap((line) => readResults(name, line)));
  if (exitCode !== 0) failed.push(name);
}
const date = new Date().toISOString().slice(0, 10);
const machine = {
  bun: Bun.version,
  cores: cpus().length,
  system: `${process.platform}-${process.arch}`,
};
console.log(formatTable(results));
console.log(JSON.stringify({ date, ...machine, passed: failed.length === 0, failed, results }));
if (values.write) {
  writeFileSync(join(root, "docs/performance.svg"), formatPlot(results));
  writeFileSync(join(root, "docs/performance.md"), formatPage(results, { date, ...machine }));
}
process.exit(failed.length === 0 ? 0 : 1);

/** Runs one benchmark to its end. What it prints beside its figures is passed on. */
async function run(name: string): Promise<{ lines: string[]; exitCode: number }> {
  const child = spawn("npm", ["run", "--silent", `bench:${name}`], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number>((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    console.error(line);
  }
  return { lines, exitCode: await ended };
}
