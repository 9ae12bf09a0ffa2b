import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dir, "../..");

type Versions = Readonly<Record<string, string>>;

/** The fields of a package.json that the release reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly repository?: string;
  readonly exports?: object;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
}

export interface Package {
  /** Its folder from the root of the repository, such as `packages/hub`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

/** Every package that is published, each after those of ours that it depends on. */
export function listPublishedPackages(): Package[] {
  const folders = globSync("packages/*/package.json", { cwd: root }).map(dirname).toSorted();
  const published = folders
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true);
  const byName = new Map(published.map((entry) => [entry.manifest.name, entry]));
  const ordered = new Set<Package>();
  const add = (entry: Package) => {
    for (const name of Object.keys(entry.manifest.dependencies ?? {})) {
      const dependency = byName.get(name);
      if (dependency && !ordered.has(dependency)) add(dependency);
    }
    ordered.add(entry);
  };
  for (const entry of published) add(entry);
  return [...ordered];
}
