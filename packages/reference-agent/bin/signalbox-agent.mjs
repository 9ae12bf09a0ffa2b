#!/usr/bin/env node
// Runs the built program on any Node or Bun. A checkout has the sources instead, which only Bun
// reads, so Node starts Bun there.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";

const source = new URL("../src/main.ts", import.meta.url);
const isCheckout = existsSync(new URL("../tsconfig.json", import.meta.url));
if (!isCheckout) await import("../dist/main.js");
else if (process.versions.bun !== undefined) await import(source.href);
else handOver(findBun());

function findBun() {
  const require = createRequire(import.meta.url);
  const cpu = { arm64: "aarch64" }[process.arch] ?? process.arch;
  const names = ["", "-baseline", "-musl"].map(
    (variant) => `@oven/bun-${process.platform}-${cpu}${variant}/bin/bun`,
  );
  for (const name of [...names, "bun/bin/bun.exe"]) {
    try {
      return require.resolve(name);
    } catch {
      // This module is not installed, so the next one is tried.
    }
  }
  return "bun";
}

function handOver(bun) {
  // By itself Bun runs what the current folder's bunfig.toml, tsconfig.json and .env say.
  const nothingOfTheFolder = [
    `--config=${devNull}`,
    "--no-env-file",
    `--tsconfig-override=${devNull}`,
  ];
  const child = spawn(
    bun,
    [...nothingOfTheFolder, fileURLToPath(source), ...process.argv.slice(2)],
    {
      stdio: "inherit",
      env: { ...process.env, SIGNALBOX_AGENT_LAUNCHER: String(process.pid) },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("error", (failure) => {
    console.error(`signalbox-agent: ${failure.message}`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
