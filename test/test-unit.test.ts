import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const script = join(import.meta.dirname, "../scripts/test-unit.ts");
const passes = 'import { test } from "bun:test";\ntest("passes", () => {});\n';
const fails =
  'import { test } from "bun:test";\ntest("fails", () => { throw new Error("no"); });\n';
/** Does this the first time that it runs, which it notes in a file, and passes from then on. */
const once = (marker: string, does: string) => `
import { test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
const isFirst = !existsSync("${marker}");
writeFileSync("${marker}", "");
test("passes before", () => {});
test("does it once", async () => { if (isFirst) { ${does} } });
`;
const failsOnce = once("tried", 'throw new Error("not yet");');

/** Runs the script in a folder with these test files. */
function run(
  files: Readonly<Record<string, string>>,
  env: Record<string, string>,
  ...args: string[]
) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-unit-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { stdout, stderr, exitCode } = Bun.spawnSync(
      [process.execPath, script, "--parallel=2", "--timeout=2000", ...args],
      { cwd: folder, env },
    );
    const lines = stdout.toString().trimEnd().split("\n");
    return { exitCode, lines, errors: stderr.toString(), tried: existsSync(join(folder, "tried")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const ci = { CI: "true" };
const flaky = "flaky: failed once, passed alone";

describe("the unit tests in CI", () => {
  test("a file that fails once and passes alone is listed, and the run passes", () => {
    const files = { "a.test.ts": passes, "sub/b.test.ts": failsOnce };
    const { exitCode, lines } = run(files, ci);
    expect(lines.slice(-4)).toEqual([flaky, "  sub/b.test.ts", "", "3 passed, 0 failed"]);
    expect(exitCode).toBe(0);
  });

  test("one that fails again fails the run, beside one that does not", () => {
    const files = { "a.test.ts": passes, "b.test.ts": fails, "c.test.ts": failsOnce };
    const { exitCode, lines } = run(files, ci);
    const twice = ["failed twice", "  b.test.ts", ""];
    expect(lines.slice(-7)).toEqual([flaky, "  c.test.ts", "", ...twice, "3 passed, 1 failed"]);
    expect(exitCode).toBe(1);
  });

  test.each([
    ["a crash of bun", 'process.kill(process.pid, "SIGSEGV"); await Bun.sleep(60_000);'],
    ["a worker that leaves", "process.exit(3);"],
    ["a test that takes too long", "await new Promise(() => {});"],
  ])("%s counts as a failure of its file", (_what, does) => {
    const { exitCode, lines } = run({ "a.test.ts": passes, "b.test.ts": once("tried", does) }, ci);
    expect(lines).toContain(flaky);
    expect(lines).toContain("  b.test.ts");
    expect(lines.at(-1)).toBe("3 passed, 0 failed");
    expect(exitCode).toBe(0);
  });

  test("a file that cannot be loaded fails the run", () => {
    const { exitCode, lines } = run({ "a.test.ts": passes, "b.test.ts": 'import "./no.ts";' }, ci);
    expect(lines.slice(-4)).toEqual(["failed twice", "  b.test.ts", "", "1 passed, 1 failed"]);
    expect(exitCode).toBe(1);
  });

  test("what was not to be run is not run the second time", () => {
    const files = { "a.test.ts": fails, "b.test.ts": failsOnce };
    const { exitCode, lines } = run(files, ci, "./b.test.ts");
    expect(lines.at(-1)).toBe("2 passed, 0 failed");
    expect(exitCode).toBe(0);
  });

  test("when all pass, bun's summary stands last", () => {
    const { exitCode, errors, lines } = run({ "a.test.ts": passes }, ci);
    expect(errors).toMatch(/ 1 pass\n 0 fail\nRan 1 test across 1 file\..*\n$/);
    expect(lines.join("\n")).not.toContain("flaky");
    expect(exitCode).toBe(0);
  });
});

test("the unit tests elsewhere have no second try", () => {
  const { exitCode, lines, tried } = run({ "a.test.ts": failsOnce }, {});
  expect(tried).toBe(true);
  expect(lines.join("\n")).not.toContain(flaky);
  expect(exitCode).toBe(1);
});
