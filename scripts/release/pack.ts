import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Package, root } from "./packages.ts";
import { run } from "./run.ts";

interface PackedFiles {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly files: readonly string[];
}

/** `repository`: the address of the repository, such as `https://github.com/owner/name`. */
export interface PackOptions {
  readonly out: string;
  readonly repository?: string;
}

/**
 * Packs packages that are built. Each is copied to a folder of its own first, where its package.json
 * loses what only this repository needs and gets the repository's address.
 */
export async function packPackages(
  packages: readonly Package[],
  { out, repository }: PackOptions,
): Promise<Tarball[]> {
  const folder = resolve(out);
  const listed = await npmPack(["--dry-run", ...packages.map((entry) => `./${entry.folder}`)]);
  const stages = packages.map((entry) => {
    const stage = join(folder, "unpacked", entry.manifest.name);
    const { files } = findPacked(listed, entry);
    for (const { path } of files) {
      mkdirSync(dirname(join(stage, path)), { recursive: true });
      cpSync(join(root, entry.folder, path), join(stage, path));
    }
    copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    const manifest = createPublishedManifest(entry, repository);
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    return stage;
  });
  const packed = await npmPack(["--pack-destination", folder, ...stages]);
  return packages.map((entry) => {
    const { filename, files } = findPacked(packed, entry);
    const { name, version } = entry.manifest;
    const paths = files.map(({ path }) => path);
    return { name, version, path: join(folder, filename), files: paths };
  });
}

/** The package.json that users get: with the repository, without scripts and development dependencies. */
export function createPublishedManifest(
  { folder, manifest }: Package,
  repository?: string,
): object {
  const { scripts: _scripts, devDependencies: _devDependencies, ...others } = manifest;
  const kept = others.exports ? { ...others, exports: withoutSources(others.exports) } : others;
  if (repository === undefined) return kept;
  return {
    ...kept,
    repository: { type: "git", url: `git+${repository}.git`, directory: folder },
    homepage: `${repository}/tree/main/${folder}#readme`,
    bugs: `${repository}/issues`,
  };
}

/** Leaves out the subpaths of which only the sources exist: they are for this repository. */
function withoutSources(exports: object): object {
  const isOnlySource = (target: unknown) =>
    typeof target === "object" && target !== null && Object.keys(target).join() === "bun";
  return Object.fromEntries(Object.entries(exports).filter(([, target]) => !isOnlySource(target)));
}

async function npmPack(args: readonly string[]): Promise<PackedFiles[]> {
  const output = await run("npm", ["pack", "--json", "--ignore-scripts", ...args]);
  return JSON.parse(output) as PackedFiles[];
}

function findPacked(packed: readonly PackedFiles[], { manifest }: Package): PackedFiles {
  const found = packed.find(({ name }) => name === manifest.name);
  if (!found) throw new Error(`npm did not pack ${manifest.name}`);
  return found;
}
