#!/usr/bin/env node
// Finds the pinned Bun and runs the command line with it. Runs on any Node and imports nothing else.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The package of Bun needs an install script; the platform packages do not. */
function findBun() {
  const require = createRequire(import.meta.url);
  const os = { win32: "windows" }[process.platform] ?? process.platform;
  const cpu = { arm64: "aarch64" }[process.arch] ?? process.arch;
  const program = process.platform === "win32" ? "bun.exe" : "bun";
  const names = ["", "-baseline", "-musl", "-musl-baseline"].map(
    (variant) => `@oven/bun-${os}-${cpu}${variant}/bin/${program}`,
  );
  for (const name of [...names, "bun/bin/bun.exe"]) {
    try {
      return require.resolve(name);
    } catch {
      // not installed: try the next one
    }
  }
  return undefined;
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
