// Runs before `npm start` and `npm test`: installs what the lock file names, if it is not there yet.
// It imports nothing but Node, because on a fresh machine there is nothing else.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isInstalled } from "./installed.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packagesOf = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;
const record = "node_modules/.package-lock.json";

const installed =
  existsSync(join(root, record)) &&
  isInstalled(packagesOf("package-lock.json"), packagesOf(record));
if (!installed) {
  console.error("signalbox: installing dependencies (once)…");
  // npm itself is found through the variable it sets for its scripts, on every platform.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  const { status } = spawnSync(command, [...args, "ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) {
    console.error("signalbox: `npm ci` failed; its message is above. Nothing was started.");
    process.exit(status ?? 1);
  }
}
