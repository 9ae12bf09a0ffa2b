// Which test files are fast: those that start no program, and so no agent and no browser, and that take
// little time by `test/timings.json`. Both are read off, so nobody keeps a list.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Modules whose purpose is to start a program, or that name the programs that tests start. */
const starters = new Set([
  "node:child_process",
  "playwright-core",
  "vite",
  "@signalbox/testing/programs",
]);
/** Ways to start one without such an import. */
const startingCode = /\bBun\.spawn|\bbundledAgent\b|\bfindAgent\b|claude-code-2\.1\.7/;
/** A file that took longer than this among others, on a machine of two cores, is left to `npm test`. */
const MAX_MS = 8000;

/** The fast test files, by their paths from the root of the repository. */
export function findFastTests(root: string): string[] {
  const timings = readTimings(root);
  const known = new Map<string, boolean>();
  return ["packages/*/test/**/*.test.{ts,tsx}", "test/**/*.test.ts"]
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
    .filter((file) => (timings[file] ?? 0) <= MAX_MS && !startsProgram(root, file, known))
    .toSorted();
}

/** How long each file took when the timings were last written, in milliseconds. */
function readTimings(root: string): Readonly<Record<string, number>> {
  const path = join(root, "test/timings.json");
  if (!existsSync(path)) return {};
  return (JSON.parse(readFileSync(path, "utf8")) as { files: Record<string, number> }).files;
}

/** Whether a file, or a test helper that it imports, has what it takes to start a program. */
function startsProgram(root: string, file: string, known: Map<string, boolean>): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false); // an import that leads back here adds nothing
  const text = readFileSync(join(root, file), "utf8");
  const loader = file.endsWith(".tsx") ? "tsx" : "ts";
  const imports = new Bun.Transpiler({ loader }).scanImports(text).map(({ path }) => path);
  const isStarter = (specifier: string) => {
    if (starters.has(specifier)) return true;
    const helper = resolveHelper(file, specifier);
    return helper !== undefined && startsProgram(root, helper, known);
  };
  const result = startingCode.test(text) || imports.some(isStarter);
  known.set(file, result);
  return result;
}

/** The file of a test helper; undefined for what the product or a library exports. */
function resolveHelper(file: string, specifier: string): string | undefined {
  const shared = /^@signalbox\/testing\/(.+)$/.exec(specifier)?.[1];
  if (shared !== undefined) return `packages/testing/src/${shared}.ts`;
  if (!specifier.startsWith(".") || !/\.tsx?$/.test(specifier)) return undefined;
  const path = join(dirname(file), specifier);
  return /^packages\/(?!testing\/)[^/]+\/src\//.test(path) ? undefined : path;
}
