import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { decodeStrictly } from "@signalbox/host/git";
import { openInside } from "@signalbox/host/system";

/** Larger files are not read. */
const MAX_BYTES = 5 * 1024 * 1024;
/** How much of a file is searched for NUL, by which binary files are known; Git does the same. */
const SEARCHED_BYTES = 8000;

type UntrackedContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly bytes: number | null };

/** Reads a file below a folder, never through a link that leads out of it. A link's content is where it leads. */
export async function readUntracked(
  folder: string,
  path: string,
): Promise<UntrackedContent | undefined> {
  await using inside = await openInside(folder, dirname(path));
  if (!inside) return undefined;
  const place = join(inside.path, basename(path));
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { kind: "text", text: await readlink(place) };
  if (!stats?.isFile()) return undefined;
  if (stats.size > MAX_BYTES) return { kind: "binary", bytes: stats.size };
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(place, flags);
  const bytes = await file.readFile();
  const text = bytes.subarray(0, SEARCHED_BYTES).includes(0) ? undefined : decodeStrictly(bytes);
  return text === undefined ? { kind: "binary", bytes: bytes.length } : { kind: "text", text };
}

/** The number of lines of a file; null if it is not text or cannot be read. */
export async function countLines(folder: string, path: string): Promise<number | null> {
  const content = await readUntracked(folder, path).catch(() => undefined);
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
