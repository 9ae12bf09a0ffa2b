import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Package, readManifest, root } from "./packages.ts";
import { run } from "./run.ts";

export interface RepositoryState {
  /** `repository` of the root's package.json. */
  readonly repository: string | undefined;
  readonly changelog: string;
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  /** The tags of the commit that is checked out. */
  readonly tags: readonly string[];
}

export async function readRepositoryState(): Promise<RepositoryState> {
  const [changes, tags] = await Promise.all([
    run("git", ["status", "--porcelain"]),
    run("git", ["tag", "--points-at", "HEAD"]),
  ]);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const { repository } = readManifest(".");
  return { repository, changelog, changes, tags: tags.split("\n").filter(Boolean) };
}

/** Every reason why these packages cannot be published from this state, each as a sentence. */
export function findObstacles(packages: readonly Package[], state: RepositoryState): string[] {
  const { repository, changelog, changes, tags } = state;
  const versions = [...new Set(packages.map(({ manifest }) => manifest.version))];
  const [version = ""] = versions;
  const obstacles: string[] = [];
  if (!/^https:\/\/[^/]+\/.+[^/]$/.test(repository ?? "")) {
    obstacles.push(
      'set "repository" in the package.json of the root to the address of the repository, such as "https://github.com/owner/name"',
    );
  }
  if (versions.length > 1) {
    obstacles.push(`all packages need the same version; found ${versions.join(", ")}`);
  }
  if (!changelog.includes(`\n## ${version}`)) {
    obstacles.push(`CHANGELOG.md needs a section "## ${version}"`);
  }
  if (!tags.includes(`v${version}`)) {
    obstacles.push(`the commit that is checked out needs the tag v${version}`);
  }
  if (changes.trim() !== "") obstacles.push("commit or remove what has changed in the repository");
  return obstacles;
}
