import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 300;
const BLOCK = 64 * 1024;

/** The last lines of a file, read from its end, with the offset up to which it was read. */
export function readLastLines(path: string, count: number): { lines: string[]; end: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return { lines: [], end: 0 };
  const file = openSync(path, "r");
  try {
    let at = size;
    let bytes = Buffer.alloc(0);
    // One more than asked for: the first of them may be cut.
    while (at > 0 && countLines(bytes) <= count) {
      const length = Math.min(BLOCK, at);
      const block = Buffer.alloc(length);
      at -= length;
      readSync(file, block, 0, length, at);
      bytes = Buffer.concat([block, bytes]);
    }
    const end = at + bytes.lastIndexOf(0x0a) + 1;
    const lines = bytes
      .subarray(0, end - at)
      .toString("utf8")
      .split("\n")
      .slice(0, -1);
    return { lines: lines.slice(-count || lines.length), end };
  } finally {
    closeSync(file);
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}

/** Yields the lines that are added to a file after an offset, also after the file was rotated. */
export async function* followLines(
  path: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let at = from;
  let inode = statSync(path, { throwIfNoEntry: false })?.ino;
  let rest = "";
  while (!signal.aborted) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const isAnother = stat !== undefined && (stat.ino !== inode || stat.size < at);
    if (isAnother) [at, rest] = [0, ""];
    inode = stat?.ino;
    const added = stat === undefined ? "" : readFrom(path, at);
    at += Buffer.byteLength(added);
    const lines = (rest + added).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** What a file holds after an offset, up to its last whole line, so that no character is cut. */
function readFrom(path: string, at: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - at));
    const length = readSync(file, bytes, 0, bytes.length, at);
    return bytes.subarray(0, bytes.lastIndexOf(0x0a, length - 1) + 1).toString("utf8");
  } finally {
    closeSync(file);
  }
}
