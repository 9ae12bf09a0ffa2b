// Runs the tests that let the machine fail: `npm run test:faults`, or only those whose file is named,
// such as `npm run test:faults -- disk kill`. They take long, and some need root or strace.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const names = process.argv.slice(2);
const folders = readdirSync(join(root, "packages"))
  .map((name) => join("packages", name, "test", "faults"))
  .filter((folder) => existsSync(join(root, folder)));
const all = folders
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((file) => file.endsWith(".fault.ts"));
const named = (file) => names.length === 0 || names.includes(basename(file, ".fault.ts"));
const files = all.filter(named).map((file) => `./${file}`);
if (files.length === 0) {
  const there = all.map((file) => basename(file, ".fault.ts")).join(", ");
  console.error(`There is no such test of faults. There are: ${there}.`);
  process.exit(2);
}
spawnSync("node", ["scripts/ensure-programs.mjs", "faults"], { cwd: root, stdio: "inherit" });
const command = ["test", "--timeout", "600000", ...files];
const { status } = spawnSync("bun", command, { cwd: root, stdio: "inherit" });
process.exit(status ?? 1);
