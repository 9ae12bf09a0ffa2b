import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const script = join(import.meta.dirname, "../scripts/ensure-chromium.mjs");

/** Runs it where there is no Chromium, with an `apt-get` that notes what it is told and does this. */
function ensure(does: string) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-apt-"));
  try {
    const [apt, told] = [join(folder, "apt-get"), join(folder, "told")];
    writeFileSync(apt, `#!/bin/sh\necho "$@" >> ${told}\n${does.replaceAll("HERE", folder)}\n`);
    chmodSync(apt, 0o755);
    const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, script], {
      env: { PATH: folder },
    });
    const lines = readFileSync(told, "utf8").trim().split("\n");
    return { found: stdout.toString().trim(), folder, stderr: stderr.toString(), exitCode, lines };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("where Chromium is missing, Debian's is installed", () => {
  const { found, folder, lines } = ensure('[ "$1" = update ] || : > HERE/chromium');
  expect(lines).toEqual(["update -q", "install -y -q --no-install-recommends chromium"]);
  expect(found).toBe(join(folder, "chromium"));
});

test("where that does not help, it is said what to do", () => {
  const { exitCode, stderr } = ensure("exit 100");
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("name it in SIGNALBOX_CHROMIUM");
});
