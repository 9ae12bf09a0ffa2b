import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { decodeStrictly, findGit, inertEnvironment } from "@signalbox/host/git";

const MOST_CACHED = 200;
const cache = new Map<string, readonly string[]>();

/**
 * The submodule folders in the index of a checkout: for the status of the checkout, Git also runs in them. A
 * string says why they are unknown. Git only reads its index for this.
 */
export function listSubmodules(gitFolder: string, checkout: string): readonly string[] | string {
  const version = indexVersion(join(gitFolder, "index"));
  if (version === undefined) return [];
  const known = cache.get(version);
  if (known) return known;
  const where = [`--git-dir=${gitFolder}`, `--work-tree=${checkout}`];
  const list = [...where, "ls-files", "--stage", "--sparse", "-z"];
  const { error, status, stdout, stderr } = spawnSync(findGit().path, list, {
    cwd: checkout,
    env: inertEnvironment(),
    maxBuffer: 256 << 20,
    timeout: 30_000,
  });
  if (error && "code" in error && error.code === "ENOENT") return [];
  if (error || status !== 0) return error?.message ?? stderr.toString().trim();
  const listed = stdout.toString("latin1"); // a character for each byte
  const paths = [...listed.matchAll(/(?:^|\0)160000 [0-9a-f]+ \d\t([^\0]+)/g)].map(
    ([, path = ""]) => decodeStrictly(Buffer.from(path, "latin1")),
  );
  const submodules = paths.filter((path) => path !== undefined);
  if (submodules.length < paths.length) return "the path of a submodule is not valid UTF-8";
  if (cache.size >= MOST_CACHED) cache.clear();
  const unique = [...new Set(submodules)];
  cache.set(version, unique);
  return unique;
}

/** Changes whenever the file changes; undefined if there is no file. */
function indexVersion(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [path, ino, size, mtimeNs, ctimeNs].join("\0");
  } catch {
    return undefined;
  }
}
