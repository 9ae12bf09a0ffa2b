// Runs the fast tests (`npm run test:fast`): see `fast-tests.ts`. Arguments are handed on to `bun test`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findFastTests } from "./fast-tests.ts";

const root = join(import.meta.dir, "..");
const files = findFastTests(root).map((file) => `./${file}`);
console.log(`${files.length} test files that start no program`);
const flags = ["--parallel=4", "--timings=test/timings.json", "--timeout=180000"];
const { status } = spawnSync(
  process.execPath,
  ["test", "--only-failures", ...flags, ...process.argv.slice(2), ...files],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
