#!/usr/bin/env node
// Finds the pinned Bun and hands the command line over to it. Runs on any Node; imports nothing else.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Bun's own package needs an install script to be complete; the platform packages do not. */
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
      // not installed: the next one
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
// Sockets that a service manager opened for this process (LISTEN_FDS) are the child's.
const forUs = process.env.LISTEN_PID === String(process.pid);
const sockets = forUs ? Number(process.env.LISTEN_FDS) || 0 : 0;
const handedOver = Array.from({ length: sockets }, (_, at) => 3 + at);
const child = spawn(bun, [main, ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit", ...handedOver],
});

// Who signals this process means the child, which decides what it means. (A terminal's Ctrl-C
// reaches both; the child takes the second one for what it is.)
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
