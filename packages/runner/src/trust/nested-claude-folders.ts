import { spawnSync } from "node:child_process";
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { findGit, inertEnvironment } from "@signalbox/host/git";

/** A limit, because every start of an agent needs a scan, which must not take seconds. */
const MOST_FOLDERS = 20_000;

/** The `.claude` folders below a folder. */
export interface NestedClaudeFolders {
  readonly paths: readonly string[];
  /** False where there are more folders than are looked into. */
  readonly isComplete: boolean;
}

/**
 * Finds the `.claude` folders below a folder, without its own: Claude Code (2.1.325) loads the skills in them
 * as soon as it touches a file beside them. Ignored folders and packages count, too. The folders nearest to
 * the top are looked into first, and links are not followed: what they lead to inside is found where it is.
 */
export function findNestedClaudeFolders(top: string, most = MOST_FOLDERS): NestedClaudeFolders {
  const paths: string[] = [];
  const folders = [top];
  for (let next = 0; next < folders.length; next++) {
    if (next >= most) {
      return { paths: [...new Set([...paths, ...listByGit(top)])], isComplete: false };
    }
    const folder = folders[next] ?? top;
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name);
      const name = entry.name.toLowerCase(); // some file systems do not tell them apart
      if (name === ".claude" && folder !== top) paths.push(path);
      if (entry.isDirectory() && name !== ".git") folders.push(path);
    }
  }
  return { paths, isComplete: true };
}

/** Those that Git tracks, or would track, at any depth: it knows them without looking into ignored folders. */
function listByGit(top: string): string[] {
  const wanted = [":(glob,icase)**/.claude", ":(glob,icase)**/.claude/**"];
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...wanted];
  const { stdout } = spawnSync(findGit().path, list, {
    cwd: top,
    env: inertEnvironment(),
    encoding: "utf8",
    maxBuffer: 64 << 20,
    timeout: 10_000,
  });
  // Without Git, or without a repository, there is no answer.
  return (stdout ?? "").split("\0").flatMap((file) => {
    const ends = [...file.matchAll(/\/\.claude(?=\/|$)/gi)].map(({ index }) => index + 8);
    return ends.map((end) => join(top, file.slice(0, end)));
  });
}

/** What cannot be listed cannot be read by the agent either, which runs as the same user. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
