// Runs before `npm start`: builds the page, unless it was built after the last change of its sources.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = ["web/src", "web/public", "web/index.html", "web/vite.config.ts"];
const sources = [...web, "client/src", "api/src"];

const changed = Math.max(...sources.map((path) => newestIn(join(root, "packages", path))));
const built = statSync(join(root, "packages/web/dist/files.json"), { throwIfNoEntry: false });
if (!built || built.mtimeMs < changed) {
  console.error("signalbox: building the page…");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", join(root, "packages/web"), "--logLevel", "error"];
  // Whatever the shell or a test says, it is the page that people get.
  const env = { ...process.env, NODE_ENV: "production" };
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) {
    console.error("signalbox: the page could not be built; the message is above.");
    process.exit(status ?? 1);
  }
}

function newestIn(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
