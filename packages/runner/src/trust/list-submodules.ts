import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { decodeStrictly, findGit, inertEnvironment } from "@signalbox/host/git";

const MAX_CACHED = 200;
/** A limit, because the runner does nothing else meanwhile. */
const TIMEOUT_MS = 10_000;
/** What Git reads of its directory to list the index, beside the configuration and the index itself. */
const files = ["HEAD", "commondir"];
const cache = new Map<string, readonly string[]>();

/**
 * The submodule folders in the index of a checkout: for the status of the checkout, Git also runs in them. A
 * string says why they are unknown. Git only reads its index for this.
 */
export function listSubmodules(gitFolder: string, checkout: string): readonly string[] | string {
  const version = indexVersion(join(gitFolder, "index"));
  if (version === undefined) return [];
  const pipe = ["index", ...files].map((name) => join(gitFolder, name)).find(isOther);
  if (pipe !== undefined) return `${pipe} is not a regular file`;
  const known = cache.get(version);
  if (known) return known;
  const where = [`--git-dir=${gitFolder}`, `--work-tree=${checkout}`];
  const list = [...where, "ls-files", "--stage", "--sparse", "-z"];
  const { error, status, stdout, stderr } = spawnSync(findGit().path, list, {
    cwd: checkout,
    // The person's own settings do not matter here, and an agent may have put a pipe in their place.
    env: { ...inertEnvironment(), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    maxBuffer: 256 << 20,
    timeout: TIMEOUT_MS,
  });
  if (error && "code" in error && error.code === "ENOENT") return [];
  if (error || status !== 0) return error?.message ?? stderr.toString().trim();
  const listed = stdout.toString("latin1"); // a character for each byte
  const paths = [...listed.matchAll(/(?:^|\0)160000 [0-9a-f]+ \d\t([^\0]+)/g)].map(
    ([, path = ""]) => decodeStrictly(Buffer.from(path, "latin1")),
  );
  const submodules = paths.filter((path) => path !== undefined);
  if (submodules.length < paths.length) return "the path of a submodule is not valid UTF-8";
  if (cache.size >= MAX_CACHED) cache.clear();
  const unique = [...new Set(submodules)];
  cache.set(version, unique);
  return unique;
}

/** Whether something that is neither a file nor missing is there: Git would wait for a writer of a pipe. */
function isOther(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    return false;
  }
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
