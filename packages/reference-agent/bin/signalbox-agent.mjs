#!/usr/bin/env node
// Runs the built program on any Node or Bun. A checkout has the sources instead, which only Bun
// reads, so Node starts Bun there.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { fileURLToPath } from "node:url";

const source = new URL("../src/main.ts", import.meta.url);
const isCheckout = existsSync(new URL("../tsconfig.json", import.meta.url));
if (!isCheckout) await import("../dist/main.js");
else if (process.versions.bun !== undefined) await import(source.href);
else handOver(findBun());

/** Only in the checkout: Node itself would also look in the home folder, where agents may write. */
function findBun() {
  const cpu = { arm64: "aarch64" }[process.arch] ?? process.arch;
  const names = ["", "-baseline", "-musl"].map(
    (variant) => `@oven/bun-${process.platform}-${cpu}${variant}/bin/bun`,
  );
  const paths = [...names, "bun/bin/bun.exe"].map((name) =>
    fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)),
  );
  return paths.find((path) => existsSync(path)) ?? process.exit(failWithoutBun());
}

function failWithoutBun() {
  console.error("signalbox-agent: Bun is not installed. Run `npm install` in the checkout.");
  return 1;
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
      env: {
        ...process.env,
        SIGNALBOX_AGENT_LAUNCHER: String(process.pid),
        // Bun would run translated copies of this program that lie in `~/.bun`, where agents may write.
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
      },
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
