import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(180_000);
const scripts = join(import.meta.dir, "../scripts");

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-install-")));
  mkdirSync(join(root, "scripts"));
  for (const name of ["install-if-missing.mjs", "installed.mjs"]) {
    cpSync(join(scripts, name), join(root, "scripts", name));
  }
  writeFileSync(join(root, "package.json"), '{"name":"w","workspaces":["packages/*"]}');
  // A package of the workspace's own: to install it, npm needs no network.
  mkdirSync(join(root, "packages/one"), { recursive: true });
  writeFileSync(join(root, "packages/one/package.json"), '{"name":"one","version":"1.0.0"}');
  npm("install", "--package-lock-only");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function npm(...args: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: root };
  const options = ["--offline", "--no-audit", "--no-fund", ...args];
  const { status, stderr } = spawnSync("npm", options, { cwd: root, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Whether the script asks npm for an install; `npm` itself is one that only notes that it was called. */
function installs(): boolean {
  const called = join(root, "called");
  const noting = join(root, "npm.mjs");
  writeFileSync(
    noting,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(called)}, "");`,
  );
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, npm_execpath: noting };
  const script = join(root, "scripts/install-if-missing.mjs");
  const { status } = spawnSync("node", [script], { cwd: root, env });
  expect(status).toBe(0);
  const asked = existsSync(called);
  rmSync(called, { force: true });
  return asked;
}

test("what a person has installed by hand counts, and another lock file calls for an install", () => {
  expect(installs()).toBe(true);
  npm("ci");
  expect(installs()).toBe(false);
  const lock = join(root, "package-lock.json");
  const text = readFileSync(lock, "utf8");
  for (const change of [
    text.replace('"version": "1.0.0"', '"version": "1.0.1"'),
    text.replace('"packages": {', '"packages": { "node_modules/two": { "version": "2.0.0" },'),
  ]) {
    writeFileSync(lock, change);
    expect(installs()).toBe(true);
  }
  writeFileSync(lock, text);
  expect(installs()).toBe(false);
});
