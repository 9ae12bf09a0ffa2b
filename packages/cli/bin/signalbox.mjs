#!/usr/bin/env node
// Finds the pinned Bun and runs the command line with it. Runs on any Node and imports nothing else.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { devNull } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * The packages beside this one. Node itself would look further, in `~/.node_modules` and in the folders above,
 * where an agent that may write in the home folder could leave a program of its own.
 */
function listPackageFolders() {
  const packageFolder = dirname(realpathSync(here));
  const above = dirname(packageFolder);
  const scope = basename(above).startsWith("@") ? dirname(above) : above;
  const beside = basename(scope) === "node_modules" ? scope : join(above, "..", "node_modules");
  return [join(packageFolder, "node_modules"), beside];
}

/** The package of Bun needs an install script; the platform packages do not. */
function findBun() {
  const os = { win32: "windows" }[process.platform] ?? process.platform;
  const cpu = { arm64: "aarch64" }[process.arch] ?? process.arch;
  const program = process.platform === "win32" ? "bun.exe" : "bun";
  const names = ["", "-baseline", "-musl", "-musl-baseline"].map(
    (variant) => `@oven/bun-${os}-${cpu}${variant}/bin/${program}`,
  );
  const folders = listPackageFolders();
  return [...names, "bun/bin/bun.exe"]
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

const bun = findBun();
if (bun === undefined) {
  console.error(
    `signalbox: Bun is not installed for ${process.platform}-${process.arch}. Run \`npm install\` where signalbox is installed.`,
  );
  process.exit(4);
}

const source = join(here, "../src/main.ts");
const main = existsSync(source) ? source : join(here, "../dist/main.js");
// Sockets that a service manager opened for this process (LISTEN_FDS) are passed to the child.
const isForThisProcess = process.env.LISTEN_PID === String(process.pid);
const sockets = isForThisProcess ? Number(process.env.LISTEN_FDS) || 0 : 0;
const inherited = Array.from({ length: sockets }, (_, at) => 3 + at);
// By itself Bun runs the `preload` of the current folder's bunfig.toml, resolves imports by its tsconfig.json and
// takes variables from its .env, so that a repository could run code as soon as a command is typed in it.
const nothingOfTheFolder = [
  `--config=${devNull}`,
  "--no-env-file",
  `--tsconfig-override=${devNull}`,
];
const child = spawn(bun, [...nothingOfTheFolder, main, ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit", ...inherited],
  // Bun would run translated copies of this program that lie in `~/.bun`, where agents may write.
  env: { ...process.env, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
});

// Signals are passed on to the child, which decides what to do. (Ctrl-C on a terminal reaches both processes;
// the child treats the second signal as the same press.)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

child.on("error", (failure) => {
  console.error(`signalbox: ${failure.message}`);
  process.exit(4);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code ?? 1);
  }
});
