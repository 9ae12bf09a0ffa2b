import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findFastTests } from "../scripts/fast-tests.ts";

/** The fast tests of a repository that consists of these files. */
function fastAmong(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "signalbox-fast-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return findFastTests(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const pure = 'import { expect } from "bun:test";\nimport { decode } from "@signalbox/protocol";\n';

describe("the fast tests", () => {
  test("are those that start no program, themselves or through a helper", () => {
    const files = {
      "packages/a/test/pure.test.ts": pure,
      "packages/a/test/view.test.tsx": `${pure}const view = <p>text</p>;`,
      "packages/a/test/product.test.ts": 'import { start } from "../src/start.ts";',
      "packages/a/src/start.ts": 'import { spawn } from "node:child_process";',
      "packages/a/test/spawns.test.ts":
        'import { spawn } from "node:child_process";\nspawn("node");',
      "packages/a/test/bun.test.ts": 'Bun.spawnSync(["node"]);',
      "packages/a/test/browser.test.ts":
        'import { chromium } from "playwright-core";\nchromium.launch();',
      "packages/a/test/deep/helped.test.ts": 'import { stage } from "../stage.ts";\nstage();',
      "packages/a/test/stage.ts":
        'import { open } from "@signalbox/testing/agent-stage";\nexport const stage = open;',
      "packages/testing/src/agent-stage.ts":
        'import { file } from "./programs.ts";\nexport const open = () => file;',
      "packages/testing/src/programs.ts":
        'import { spawn } from "node:child_process";\nspawn("node");',
      "test/repository.test.ts": pure,
    };
    expect(fastAmong(files)).toEqual([
      "packages/a/test/product.test.ts",
      "packages/a/test/pure.test.ts",
      "packages/a/test/view.test.tsx",
      "test/repository.test.ts",
    ]);
  });

  test("are those that took little time when it was last measured, or are new", () => {
    const times = { "packages/a/test/long.test.ts": 20_000, "packages/a/test/short.test.ts": 200 };
    const files = {
      "packages/a/test/long.test.ts": pure,
      "packages/a/test/short.test.ts": pure,
      "packages/a/test/new.test.ts": pure,
      "test/timings.json": JSON.stringify({ version: 1, files: times }),
    };
    expect(fastAmong(files)).toEqual([
      "packages/a/test/new.test.ts",
      "packages/a/test/short.test.ts",
    ]);
  });

  test("are most of the repository's test files", () => {
    const root = join(import.meta.dirname, "..");
    const all = [...new Bun.Glob("packages/*/test/**/*.test.{ts,tsx}").scanSync({ cwd: root })];
    const fast = findFastTests(root);
    expect(fast.length).toBeGreaterThan(all.length / 2);
    expect(fast).toContain("packages/protocol/test/framing.test.ts");
    expect(fast).not.toContain("packages/web/test/e2e/core.test.ts");
    expect(fast).not.toContain("packages/host/test/real/turns.test.ts");
  });
});
