import { describe, expect, test } from "bun:test";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { hasInstallScript?: boolean; optional?: boolean; link?: boolean; integrity?: string }
    >
  >;
}

describe("dependencies (C30)", () => {
  const { packages } = read("package-lock.json") as Lock;
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  );

  test("are named by their exact version, everywhere", () => {
    const files = ["package.json", ...globSync("packages/*/package.json", { cwd: root })];
    const loose = files.flatMap((file) => {
      const { dependencies, devDependencies } = read(file) as Manifest;
      return Object.entries({ ...dependencies, ...devDependencies })
        .filter(
          ([, version]) =>
            !/^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
        )
        .map(([name, version]) => `${file}: ${name} ${version}`);
    });
    expect(files.length).toBeGreaterThan(5);
    expect(loose).toEqual([]);
  });

  test("are locked by the hash of what is installed", () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  test("run no script when they are installed, but for Bun's", () => {
    const { allowScripts } = read("package.json") as Manifest;
    expect(allowScripts).toEqual({ bun: true });
    const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect(names.filter((name) => name !== "bun")).toEqual([]);
  });
});
