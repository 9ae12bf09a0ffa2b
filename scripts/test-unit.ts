// Runs `bun test` with the given arguments. In CI (`CI=true`) each test file that failed is run once
// more, alone: the run passes if it passes then, and the file is listed as flaky. Nowhere else is there a
// second try.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Run {
  readonly isPassed: boolean;
  readonly files: ReadonlyMap<string, Counts>;
  /** Errors outside of any test, such as a file that cannot be loaded. */
  readonly errors: number;
}

interface SecondRun extends Run {
  readonly file: string;
}

const given = process.argv.slice(2);
process.exitCode = process.env["CI"] === "true" ? await runWithSecondTry() : await runOnce();

async function runOnce(): Promise<number> {
  const child = spawn(process.execPath, ["test", ...given], { stdio: "inherit" });
  return (await untilClosed(child)) ?? 1;
}

async function runWithSecondTry(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-junit-"));
  try {
    const first = await runTests(given, join(folder, "first.xml"));
    if (first.isPassed) return 0;
    const failed = findFailed(first);
    // An error that belongs to none of these files cannot be tried again: such a run never passes.
    if (failed.length === 0 || first.errors > failed.length) return 1;
    console.log(`\n${failed.length} test file(s) failed. Each is run once more, alone.`);
    const second: SecondRun[] = [];
    for (const [at, file] of failed.entries()) {
      const args = [...flagsForOneFile(), `./${file}`];
      second.push({ file, ...(await runTests(args, join(folder, `${at}.xml`))) });
    }
    return report(first, second);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs bun, shows what it prints, and reads its JUnit file, which is not written when bun crashes. */
async function runTests(args: readonly string[], outfile: string): Promise<Run> {
  const junit = ["--reporter=junit", `--reporter-outfile=${outfile}`];
  const child = spawn(process.execPath, ["test", ...junit, ...args], {
    stdio: ["inherit", "pipe", "pipe"],
  });
  let printed = "";
  const show = (target: NodeJS.WriteStream) => (bytes: Buffer) => {
    target.write(bytes);
    printed = (printed + bytes.toString()).slice(-4096); // the summary comes last
  };
  child.stdout.on("data", show(process.stdout));
  child.stderr.on("data", show(process.stderr));
  const isPassed = (await untilClosed(child)) === 0;
  const files = existsSync(outfile) ? readJunit(readFileSync(outfile, "utf8")) : new Map();
  const errors = Number(/^ (\d+) errors?$/m.exec(printed)?.[1] ?? 0);
  return { isPassed, files, errors };
}

/** The exit code; null when it was ended by a signal or could not be started. */
function untilClosed(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
}

/** How many tests of each file passed and failed. The suites inside a file's suite name the file, too. */
function readJunit(text: string): Map<string, Counts> {
  const files = new Map<string, Counts>();
  for (const [, attributes = ""] of text.matchAll(/<testsuite((?:\s+\w+="[^"]*")*)\s*\/?>/g)) {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
    const file = read("file");
    if (files.has(file)) continue;
    const [tests = 0, failed = 0, skipped = 0] = ["tests", "failures", "skipped"].map((name) =>
      Number(read(name)),
    );
    files.set(file, { passed: tests - failed - skipped, failed });
  }
  return files;
}

/** The files with a failure, and those that bun did not report: not loaded, or lost in a crash. */
function findFailed({ files }: Run): string[] {
  const failed = [...files].filter(([, counts]) => counts.failed > 0).map(([file]) => file);
  const patterns = given
    .filter((one) => !one.startsWith("-"))
    .map((one) => one.replace(/^\.\//, ""));
  const isWanted = (file: string) =>
    patterns.length === 0 || patterns.some((one) => file.includes(one));
  const lost = findTestFiles("").filter((file) => !files.has(file) && isWanted(file));
  return [...failed, ...lost.toSorted()];
}

function findTestFiles(folder: string): string[] {
  const entries = readdirSync(join(".", folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
    const isSearched = entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name);
    return isSearched ? findTestFiles(path) : [];
  });
}

/** The given arguments but for patterns, and for options that concern many files at once. */
function flagsForOneFile(): string[] {
  return given.filter((one) => /^--(?!parallel|timings|update-timings)/.test(one));
}

function report(first: Run, second: readonly SecondRun[]): number {
  const again = new Set(second.map(({ file }) => file));
  const counts = [...first.files].filter(([file]) => !again.has(file)).map(([, one]) => one);
  for (const { file, files, isPassed } of second) {
    const { passed, failed } = files.get(file) ?? { passed: 0, failed: 0 };
    counts.push({ passed, failed: isPassed ? failed : Math.max(1, failed) });
  }
  const flaky = second.filter(({ isPassed }) => isPassed);
  const broken = second.filter(({ isPassed }) => !isPassed);
  list("flaky: failed once, passed alone", flaky);
  list("failed twice", broken);
  const sum = (of: keyof Counts) => counts.reduce((total, one) => total + one[of], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return broken.length === 0 ? 0 : 1;
}

function list(title: string, runs: readonly SecondRun[]): void {
  if (runs.length === 0) return;
  console.log(`\n${title}`);
  for (const { file } of runs) console.log(`  ${file}`);
}
