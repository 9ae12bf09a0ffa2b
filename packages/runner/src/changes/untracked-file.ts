import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { decodeStrictly, runGit } from "@signalbox/host/git";
import { type HiddenPaths, openVisible } from "./open-visible.ts";

/** Larger files are not read. */
const MAX_BYTES = 5 * 1024 * 1024;
/** How much of a file is searched for NUL, by which binary files are known; Git does the same. */
const SEARCHED_BYTES = 8000;

type UntrackedContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly bytes: number | null };

/**
 * Whether Git lists a file as one that it does not track. Ignored files, which often hold secrets, and Git's own
 * files are not among the changes of a folder.
 */
export async function isUntracked(folder: string, path: string): Promise<boolean> {
  const list = ["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--"];
  const { bytes } = await runGit(folder, [...list, path]);
  return bytes.toString().split("\0").includes(path);
}

/** Reads a file below a folder, never through a link that leads out of it. A link's content is where it leads. */
export async function readUntracked(
  folder: string,
  path: string,
  hidden?: HiddenPaths,
): Promise<UntrackedContent | undefined> {
  const place = { folder: dirname(path), name: basename(path) };
  await using inside = await openVisible(folder, place, hidden);
  if (!inside) return undefined;
  const file = join(inside.path, place.name);
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { kind: "text", text: await readlink(file) };
  if (!stats?.isFile()) return undefined;
  if (stats.size > MAX_BYTES) return { kind: "binary", bytes: stats.size };
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using opened = await open(file, flags);
  const bytes = await opened.readFile();
  const text = bytes.subarray(0, SEARCHED_BYTES).includes(0) ? undefined : decodeStrictly(bytes);
  return text === undefined ? { kind: "binary", bytes: bytes.length } : { kind: "text", text };
}

/** The number of lines of a file; null if it is not text or cannot be read. */
export async function countLines(
  folder: string,
  path: string,
  hidden: HiddenPaths,
): Promise<number | null> {
  const content = await readUntracked(folder, path, hidden).catch(() => undefined);
  return content?.kind === "text" ? splitLines(content.text).length : null;
}

/** A patch that adds the whole text. */
export function createAddedPatch(text: string): string {
  const lines = splitLines(text);
  if (lines.length === 0) return "";
  const end = text.endsWith("\n") ? "" : "\n\\ No newline at end of file";
  return `@@ -0,0 +1,${lines.length} @@\n+${lines.join("\n+")}${end}\n`;
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
