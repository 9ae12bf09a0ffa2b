import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublishedManifest, packPackages, type Tarball } from "../scripts/release/pack.ts";
import { listPublishedPackages, type Package, root } from "../scripts/release/packages.ts";
import { findObstacles } from "../scripts/release/readiness.ts";
import { run } from "../scripts/release/run.ts";
import { addChangelogSection, replaceVersion } from "../scripts/release/version-texts.ts";

setDefaultTimeout(180_000);

const packages = listPublishedPackages();
const names = packages.map(({ manifest }) => manifest.name);

describe("the package.json of a published package", () => {
  interface Full {
    readonly description?: string;
    readonly license?: string;
    readonly repository?: unknown;
    readonly engines?: object;
    readonly files?: readonly string[];
  }
  const read = ({ folder }: Package) =>
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Full;

  test.each(packages.map((entry) => [entry.manifest.name, entry] as const))(
    "says what users and the release need: %s",
    (_, entry) => {
      const { description, license, engines, repository } = read(entry);
      expect({ license, engines }).toEqual({ license: "Apache-2.0", engines: { node: ">=20" } });
      expect(description).toMatch(/^\S.{20,}/);
      expect(entry.manifest.scripts).toEqual({
        prepack: "bun ../../scripts/release/prepack.ts",
      });
      expect(repository).toBeUndefined(); // it is set once, in the root
      expect(existsSync(join(root, entry.folder, "README.md"))).toBe(true);
    },
  );

  test("has the version of all others, and needs exactly that version of them", () => {
    const [version = ""] = packages.map(({ manifest }) => manifest.version);
    for (const { manifest } of packages) {
      expect(manifest.version).toBe(version);
      const needed = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
      const ours = needed.filter(([name]) => names.includes(name));
      expect(ours.filter(([, wanted]) => wanted !== version)).toEqual([]);
    }
  });

  test("depends on published packages only, which are published before it", () => {
    for (const [at, { manifest }] of packages.entries()) {
      const ours = Object.keys(manifest.dependencies ?? {}).filter((name) =>
        /^(?:signalbox$|@signalbox\/)/.test(name),
      );
      expect(ours.filter((name) => !names.slice(0, at).includes(name))).toEqual([]);
    }
  });

  test("gets the repository's address when it is released, and loses what only the repository uses", () => {
    const [entry] = packages;
    if (!entry) throw new Error("there is no package");
    const published = createPublishedManifest(entry, "https://github.com/owner/name");
    expect(published).toMatchObject({
      name: entry.manifest.name,
      repository: {
        type: "git",
        url: "git+https://github.com/owner/name.git",
        directory: entry.folder,
      },
      bugs: "https://github.com/owner/name/issues",
    });
    expect(published).not.toHaveProperty("scripts");
    expect(published).not.toHaveProperty("devDependencies");
  });

  test("has no subpath of which only the sources exist", () => {
    const web = packages.find(({ manifest }) => manifest.name === "@signalbox/web");
    if (!web) throw new Error("the page is not published");
    const { exports } = createPublishedManifest(web) as { exports: object };
    expect(Object.keys(exports)).toEqual(["./dist/*", "./package.json"]);
  });
});

/**
 * The page and the components are left out: their files are there only after a build, which
 * `npm run test:install` and the components' own test make.
 */
describe("the tarball of a library", () => {
  let out: string;
  let tarballs: readonly Tarball[];
  const libraries = packages.filter(({ folder }) => !/\/(?:web|react)$/.test(folder));

  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), "signalbox-pack-"));
    await run("tsc", ["-b"]);
    tarballs = await packPackages(libraries, { out });
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  test.each(libraries.map(({ manifest }) => manifest.name))(
    "has what users need, and passes publint: %s",
    async (name) => {
      const tarball = tarballs.find((entry) => entry.name === name);
      const files = tarball?.files ?? [];
      expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
      const allowed =
        /^(?:(?:dist|src|bin|examples)\/.+\.(?:js|js\.map|d\.ts|ts|mjs|script|md)|demo\/.+)$/;
      const top = new Set(["LICENSE", "README.md", "package.json"]);
      expect(files.filter((file) => !top.has(file) && !allowed.test(file))).toEqual([]);
      expect(files.some((file) => file.startsWith("dist/"))).toBe(true);
      await run("publint", [tarball?.path ?? "", "--strict"]);
    },
  );
});

describe("a release", () => {
  const [version = ""] = packages.map(({ manifest }) => manifest.version);
  const ready = {
    repository: "https://github.com/owner/name",
    changelog: `# Changelog\n\n## ${version} (2026-12-01)\n`,
    changes: "",
    tags: [`v${version}`],
  };

  test("can be made from a tagged commit whose changelog has the version", () => {
    expect(findObstacles(packages, ready)).toEqual([]);
  });

  test("is refused while the repository's address is not set", () => {
    for (const repository of [undefined, "", "signalbox"]) {
      const [obstacle, ...others] = findObstacles(packages, { ...ready, repository });
      expect(obstacle).toContain('set "repository" in the package.json of the root');
      expect(others).toEqual([]);
    }
  });

  test.each([
    ["a section of the changelog", { changelog: "## Unreleased\n" }, "CHANGELOG.md needs"],
    ["the tag", { tags: ["v0.0.1"] }, `needs the tag v${version}`],
    ["a clean checkout", { changes: " M README.md\n" }, "commit or remove"],
  ])("is refused without %s", (_, state, sentence) => {
    const obstacles = findObstacles(packages, { ...ready, ...state });
    expect(obstacles).toHaveLength(1);
    expect(obstacles[0]).toContain(sentence);
  });

  test("can be prepared: every package gets the version, and the changelog a section", () => {
    const before = JSON.stringify({
      name: "@signalbox/hub",
      version: "0.1.0",
      dependencies: { "@signalbox/api": "0.1.0", zod: "4.6.7" },
      devDependencies: { "@signalbox/model": "0.1.0" },
    });
    expect(JSON.parse(replaceVersion(before, "0.2.0"))).toEqual({
      name: "@signalbox/hub",
      version: "0.2.0",
      dependencies: { "@signalbox/api": "0.2.0", zod: "4.6.7" },
      devDependencies: { "@signalbox/model": "0.2.0" },
    });
    const changelog = addChangelogSection("# Changelog\n\n## Unreleased\n\n- A fix.\n", {
      version: "0.2.0",
      date: "2026-12-01",
    });
    expect(changelog).toBe("# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A fix.\n");
  });
});
