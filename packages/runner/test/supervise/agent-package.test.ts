import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentPackages } from "../../src/supervise/agent-package.ts";

setDefaultTimeout(180_000);

describe("agents that come as npm packages", () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-packages-"));
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const packages = new AgentPackages(place);

  test("[LK29] a package is installed once, in a folder of its own, and provides its program", async () => {
    const [first, again] = await Promise.all([
      packages.resolveProgram("semver@7.7.2"),
      packages.resolveProgram("semver@7.7.2"),
    ]);
    expect(first).toBe(again);
    expect(first.startsWith(place)).toBe(true);
    expect(existsSync(first)).toBe(true);
    const inside = readdirSync(place, { recursive: true, encoding: "utf8" });
    const found = inside.map((name) => lstatSync(join(place, name)));
    expect(found.filter((each) => each.isSymbolicLink())).toEqual([]); // the hub refuses links in its folder
    expect(found.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  });

  test.each(["semver", "semver@latest", "semver@^7.0.0", "--global", "../here@1.0.0", "a b@1.0.0"])(
    "[LK29] %p is not a package with an exact version, and nothing is run",
    async (wanted) => {
      const failure: unknown = await packages.resolveProgram(wanted).catch((why: unknown) => why);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toContain("exact version");
    },
  );
});
