import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  isFolderAllowed,
  isCreationAllowed,
  resolveAllowedFolder,
} from "../../src/supervise/allowed-folders.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

const code = (work: () => unknown) => {
  try {
    return String(work());
  } catch (failure) {
    return (failure as { code?: string }).code;
  }
};

test("[HB86] paths are compared by folders and not by letters", () => {
  const allowed = ["/work", "/srv/a"];
  for (const inside of ["/work", "/work/x", "/srv/a/b/c", "/work.worktrees/fix"]) {
    expect([inside, isFolderAllowed(inside, allowed)]).toEqual([inside, true]);
  }
  for (const outside of ["/", "/work-secrets", "/workx", "/srv", "/srv/ab", "/work.worktreesx"]) {
    expect([outside, isFolderAllowed(outside, allowed)]).toEqual([outside, false]);
  }
  expect(isFolderAllowed("/anything", ["/"])).toBe(true);
  expect(isFolderAllowed("/anything", [])).toBe(false);
});

test("[HB86] links and dots are followed before anything is compared", () => {
  using place = tempFolder();
  const [work, secret] = [join(place.path, "work"), join(place.path, "work-secret")];
  mkdirSync(join(work, "deep"), { recursive: true });
  mkdirSync(secret);
  symlinkSync(secret, join(work, "out"));
  symlinkSync(work, join(place.path, "in"));
  symlinkSync(join(place.path, "later"), join(work, "dangling"));
  const allowed = [work];
  expect(resolveAllowedFolder(join(place.path, "in/deep"), allowed)).toBe(join(work, "deep"));
  const wrong = ["out", "out/x", "../work-secret", "..", "../nowhere", "\0", "deep\0"];
  for (const name of wrong) {
    const named = `${work}/${name}`;
    expect([name, code(() => resolveAllowedFolder(named, allowed))]).toEqual([
      name,
      "folder-not-allowed",
    ]);
    expect([name, isCreationAllowed(named, allowed)]).toEqual([name, false]);
  }
  expect(code(() => resolveAllowedFolder("work", allowed))).toBe("folder-not-allowed");
  expect(code(() => resolveAllowedFolder(join(work, "new"), allowed))).toBe("folder-unusable");
  expect(isCreationAllowed(join(work, "new/one"), allowed)).toBe(true);
});
