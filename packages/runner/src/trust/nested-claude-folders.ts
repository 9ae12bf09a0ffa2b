import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { decodeStrictly, findGit, inertEnvironment } from "@signalbox/host/git";
import { type Entry, listEntries } from "./list-entries.ts";

/** A limit, because every start of an agent needs a scan, which must not take seconds. */
const MAX_FOLDERS = 20_000;

/** The `.claude` folders below a folder. */
interface NestedClaudeFolders {
  readonly paths: readonly string[];
  /** Those whose path is not valid UTF-8, as text in which bytes are replaced. */
  readonly unreadable: readonly string[];
  /** False where there are more folders than are looked into. */
  readonly isComplete: boolean;
}

/**
 * Finds the `.claude` folders below a folder, without its own: Claude Code (2.1.325) loads the skills in them
 * as soon as it touches a file beside them. Ignored folders and packages count, too. The folders nearest to
 * the top are looked into first, and links are not followed: what they lead to inside is found where it is.
 */
export function findNestedClaudeFolders(top: string, most = MAX_FOLDERS): NestedClaudeFolders {
  const found: Buffer[] = [];
  const folders: Buffer[] = [Buffer.from(top)];
  for (let next = 0; next < folders.length; next++) {
    if (next >= most) {
      return { ...separateText([...found, ...listByGit(top)]), isComplete: false };
    }
    for (const { name: named, path, isFolder } of readFolder(folders[next])) {
      const name = named.toLowerCase(); // some file systems do not tell them apart
      if (name === ".claude" && next > 0) found.push(path);
      if (isFolder && name !== ".git") folders.push(path);
    }
  }
  return { ...separateText(found), isComplete: true };
}

function separateText(found: readonly Buffer[]) {
  const paths = new Set<string>();
  const unreadable = new Set<string>();
  for (const path of found) {
    const text = decodeStrictly(path);
    if (text === undefined) unreadable.add(path.toString());
    else paths.add(text);
  }
  return { paths: [...paths], unreadable: [...unreadable] };
}

/** Those that Git tracks, or would track, at any depth: it knows them without looking into ignored folders. */
function listByGit(top: string): Buffer[] {
  const wanted = [":(glob,icase)**/.claude", ":(glob,icase)**/.claude/**"];
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...wanted];
  const { stdout } = spawnSync(findGit().path, list, {
    cwd: top,
    env: { ...inertEnvironment(), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "latin1", // a character for each byte
    maxBuffer: 64 << 20,
    timeout: 10_000,
  });
  const above = Buffer.from(join(top, "/"));
  // Without Git, or without a repository, there is no answer.
  return (stdout ?? "").split("\0").flatMap((file) => {
    const ends = [...file.matchAll(/\/\.claude(?=\/|$)/gi)].map(({ index }) => index + 8);
    return ends.map((end) => Buffer.concat([above, Buffer.from(file.slice(0, end), "latin1")]));
  });
}

/** What cannot be listed cannot be read by the agent either, which runs as the same user. */
function readFolder(folder: Uint8Array | undefined): Entry[] {
  try {
    return folder ? listEntries(folder) : [];
  } catch {
    return [];
  }
}
