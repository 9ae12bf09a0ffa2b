import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programs } from "../scripts/ensure-programs.mjs";

const root = join(import.meta.dirname, "..");
const script = join(root, "scripts/ensure-programs.mjs");

/** Runs it where only these programs are, with an `apt-get` that notes what it is told and does this. */
function ensure(there: readonly string[], does: string, args: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-apt-"));
  try {
    for (const name of there) writeFileSync(join(folder, name), "");
    const [apt, told] = [join(folder, "apt-get"), join(folder, "told")];
    writeFileSync(apt, `#!/bin/sh\necho "$@" >> ${told}\n${does.replaceAll("HERE", folder)}\n`);
    chmodSync(apt, 0o755);
    const { stderr, exitCode } = Bun.spawnSync([process.execPath, script, ...args], {
      env: { PATH: folder },
    });
    const lines = existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : [];
    return { stderr: stderr.toString(), exitCode, lines };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const install = "install -y -q --no-install-recommends";

describe("the programs that tests need", () => {
  test("those that are missing are installed at once, and those that are there are left alone", () => {
    const brings =
      '[ "$1" = update ] || for name in bwrap ip systemd-analyze; do : > HERE/$name; done';
    const { exitCode, lines } = ensure(["google-chrome", "openssl"], brings);
    expect(lines).toEqual(["update -q", `${install} bubblewrap iproute2 systemd`]);
    expect(exitCode).toBe(0);
    const all = ["chromium", "bwrap", "openssl", "ip", "systemd-analyze"];
    expect(ensure(all, "exit 100")).toMatchObject({ exitCode: 0, lines: [] });
  });

  test("those of the fault tests are installed for these alone", () => {
    const { lines } = ensure(["chromium", "bwrap", "openssl", "ip", "systemd-analyze"], "exit 0", [
      "faults",
    ]);
    expect(lines).toEqual(["update -q", `${install} strace e2fsprogs iproute2`]);
  });

  test("of what cannot be had it is said which, where it is, and what is not tested without it", () => {
    const { exitCode, stderr } = ensure(
      ["chromium", "openssl", "ip", "systemd-analyze"],
      "exit 100",
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "bwrap is missing and `apt-get install bubblewrap` did not bring it; the tests of isolated agents are skipped.",
    );
    expect(stderr.split("\n").filter((line) => line.includes("is missing"))).toHaveLength(1);
  });
});

/** With Node, npm and git, or in every Debian: its essential packages. */
const everywhere =
  "git node npm bun sh bash sleep ls rm cat mkfifo dd chown find tar env true mount umount prlimit perl setpriv unshare apt-get fsck.ext4 setsid kill chmod touch mkdir rmdir script dpkg".split(
    " ",
  );

test("every program that a test calls by name is declared, or is there on every machine", () => {
  const declared = new Set([...everywhere, ...programs.flatMap(({ names }) => names)]);
  const call = /\b(?:spawn|spawnSync|execFile|execFileSync)\(\s*\[?\s*"([^"]+)"/g;
  const files = globSync(["packages/*/test/**/*.{ts,mjs}", "test/*.ts"], { cwd: root });
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(call)].flatMap(([, program = ""]) => {
      const name = program.replace(/^\/(?:usr\/)?s?bin\//, "");
      return declared.has(name) || name.startsWith("/no/") ? [] : [`${file}: ${name}`];
    }),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(200);
});
