import { expect, setDefaultTimeout, test } from "bun:test";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap-arguments.ts";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";
import { hiddenPaths } from "../../src/sandbox/hidden-paths.ts";
import { askGit, isolateGit } from "../../src/git/index.ts";
import { uncommittedChanges } from "../../src/control/stop-check.ts";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { repository } from "@signalbox/testing/programs";

setDefaultTimeout(180_000);

function openPlace() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-moving-")));
  const data = join(place, "share", "signalbox");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "identity.json"), "secret");
  return {
    place,
    data,
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

const title = (what: string) =>
  bubblewrapMissing ? `${what} (skipped: ${bubblewrapMissing})` : what;

test.skipIf(bubblewrapMissing !== undefined)(
  title("[DR8] no folder above a hidden one can be moved away, so that later agents would see it"),
  async () => {
    using at = openPlace();
    const { path = "" } = await findBubblewrap();
    const inside = (script: string, writable?: readonly string[]) => {
      const hidden = hiddenPaths([at.data]);
      const setup = { folder: "/", hidden, readable: [], network: true };
      const asRoot = process.getuid?.() === 0;
      const args = bubblewrapArguments({ ...setup, asRoot, ...(writable && { writable }) });
      return spawnSync(path, [...args, "sh", "-c", script], { encoding: "utf8" });
    };
    for (const writable of [undefined, [at.place]]) {
      const moved = inside(
        `mv ${at.place}/share ${at.place}/x; mv ${at.place} ${at.place}.x; ls -a ${at.data}`,
        writable,
      );
      expect(moved.stdout).not.toContain("identity.json");
      expect(existsSync(join(at.data, "identity.json"))).toBe(true);
      expect(existsSync(join(at.place, "x"))).toBe(false);
    }
    // What is beside it can be written as before.
    expect(inside(`touch ${at.place}/share/beside`).status).toBe(0);
    expect(existsSync(join(at.place, "share", "beside"))).toBe(true);
  },
);

test.skipIf(bubblewrapMissing !== undefined)(
  title("[DR8] what Git runs for the runner is isolated, too, and Git is the system's own"),
  async () => {
    using at = openPlace();
    const repo = join(at.place, "repo");
    mkdirSync(repo);
    const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args]);
    git("init", "-q");
    writeFileSync(join(repo, "a.txt"), "x");
    const planted = join(at.place, "bin");
    mkdirSync(planted);
    writeFileSync(join(planted, "git"), `#!/bin/sh\ntouch ${at.place}/ran\n`, { mode: 0o755 });
    const program = join(repository, "packages/planted-by-git");
    const before = process.env["PATH"];
    process.env["PATH"] = `${planted}:${before}`;
    isolateGit([at.data]);
    try {
      expect(await uncommittedChanges(repo)).toEqual(["a.txt"]);
      expect(existsSync(join(at.place, "ran"))).toBe(false);
      const peek = `alias.peek=!cat ${join(at.data, "identity.json")}`;
      for (const path of [program, join(repo, "planted")]) {
        await askGit(repo, ["-c", `alias.write=!touch ${path}`, "write"]);
        expect(existsSync(path)).toBe(false);
      }
      await askGit(repo, ["-c", "alias.write=!touch planted", "write"], {}, [repo]);
      expect(existsSync(join(repo, "planted"))).toBe(true);
      // The agent can name a hidden folder in a path that leads elsewhere.
      for (const folder of [repo, `${at.data}/../../repo`]) {
        expect((await askGit(folder, ["-c", peek, "peek"])).output).toBe("");
      }
      symlinkSync(at.data, join(at.place, "link"));
      for (const folder of [at.data, join(at.place, "link")]) {
        const { output: said, trouble } = await askGit(folder, ["-c", peek, "peek"]);
        expect(said).toBe("");
        expect(trouble).toBe(`${at.data} lies in ${at.data}, which is hidden from Git`);
      }
    } finally {
      process.env["PATH"] = before;
      isolateGit([]);
      rmSync(program, { force: true });
    }
  },
);
