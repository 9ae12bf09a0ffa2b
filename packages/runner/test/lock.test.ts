import { expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";
import { isRunnerFolderLocked, lockFile, lockRunnerFolder, UnusableLock } from "../src/lock.ts";

setDefaultTimeout(180_000);

function openFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "signalbox-lock-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** As another process sees it: locks belong to processes. */
function isLockedForOthers(folder: string): boolean {
  const code = `import { isRunnerFolderLocked } from ${JSON.stringify(join(import.meta.dir, "../src/lock.ts"))};
console.log(isRunnerFolderLocked(${JSON.stringify(folder)}));`;
  const { stdout } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
  return JSON.parse(stdout) as boolean;
}

test("a runner's folder can be locked once, and again after its lock is released", () => {
  using folder = openFolder();
  {
    using _lock = lockRunnerFolder(folder.path);
    let failure: unknown;
    try {
      lockRunnerFolder(folder.path);
    } catch (error) {
      failure = error;
    }
    expect(SignalboxError.is(failure, "FOLDER_IN_USE")).toBe(true);
    expect(statSync(join(folder.path, "runner.lock")).mode & 0o777).toBe(0o600);
  }
  expect(isLockedForOthers(folder.path)).toBe(false);
});

test("a lock holds against other processes although its own process has tried to take it again", () => {
  using folder = openFolder();
  using _lock = lockRunnerFolder(folder.path);
  expect(isRunnerFolderLocked(folder.path)).toBe(true);
  expect(isLockedForOthers(folder.path)).toBe(true);
});

test("a file that is not a lock, or is a link, is reported as the cause and not mistaken for a held lock", () => {
  using folder = openFolder();
  const [other, link] = [join(folder.path, "other"), join(folder.path, "link")];
  writeFileSync(other, "these words are not a database".repeat(100));
  symlinkSync(join(folder.path, "elsewhere"), link);
  expect(() => lockFile(other)).toThrow(UnusableLock);
  expect(() => lockFile(link)).toThrow(`${link} cannot be used as a lock (it is a link).`);
});
