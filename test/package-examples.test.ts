import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import { listDocuments, readExamples, updateExamples } from "../scripts/examples/documents.ts";
import { listPublishedPackages, root } from "../scripts/release/packages.ts";
import { run } from "../scripts/release/run.ts";
import { exampleRuns } from "./published/example-runs.ts";

setDefaultTimeout(180_000);

const home = mkdtempSync(join(tmpdir(), "signalbox-examples-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: home };

const read = (name: string) => readFileSync(join(root, name), "utf8");
const libraries = listPublishedPackages().filter(({ folder }) => folder !== "packages/cli");
/** The example of the components is part of a page, which `packages/react/test/e2e` opens in Chromium. */
const pageExamples: Readonly<Record<string, string>> = {
  "packages/react": "examples/embedding/session-panel.tsx",
};

describe("the README of a package", () => {
  test.each(libraries.map(({ folder }) => folder))("shows one example: %s", (folder) => {
    const example = pageExamples[folder] ?? `examples/${folder}.ts`;
    const paths = readExamples(read(`${folder}/README.md`)).map(({ path }) => path);
    expect(paths).toEqual([example]);
    if (!pageExamples[folder])
      expect(Object.keys(exampleRuns)).toContain(folder.replace("packages/", ""));
  });

  test.each(libraries.map(({ folder }) => folder))("names every subpath: %s", (folder) => {
    const { exports = {} } = JSON.parse(read(`${folder}/package.json`)) as { exports?: object };
    const subpaths = Object.keys(exports).filter((path) => !/^\.$|[*]|package[.]json/.test(path));
    const readme = read(`${folder}/README.md`);
    // Those that share a row are written `/like-this`.
    const isNamed = (path: string) => readme.includes(`${path.slice(1)}\``);
    expect(subpaths.filter((path) => !isNamed(path))).toEqual([]);
  });

  test("shows examples as they are in their files (`npm run docs:examples` copies them)", () => {
    const stale = listDocuments().filter((name) => updateExamples(read(name)) !== read(name));
    expect(stale).toEqual([]);
  });
});

/** The page's example needs the built page: `npm run test:install` runs it. */
const runHere = Object.entries(exampleRuns).filter(([name]) => name !== "web");

test.each(runHere)("the example of %s runs and prints what it says", async (name, example) => {
  await using hub =
    name === "client"
      ? await startHub({ data: join(home, "data"), version: "1.0.0", port: 0 })
      : undefined;
  const args = hub ? [hub.firstPairing()?.url ?? ""] : example.args;
  const path = join(root, `examples/packages/${name}.ts`);
  const printed = await run(process.execPath, [path, ...args], { env, cwd: home });
  expect(printed).toContain(example.prints);
});

test("the first command of the command line's README answers", async () => {
  const [, command = ""] =
    /```sh\nnpx signalbox (.+?) +#/.exec(read("packages/cli/README.md")) ?? [];
  expect(command).toBe('run --demo "hello"');
  const program = join(root, "packages/cli/bin/signalbox.mjs");
  const printed = await run("node", [program, "run", "--demo", "hello"], { env, cwd: home });
  expect(printed).toContain("That was a whole session");
});
