import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open, readlink, rename, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { OrderError } from "../supervise/order-error.ts";
import { openVisible } from "./open-visible.ts";

const PIECE = 1024 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL } = constants;

/** What is at a path. */
export const fileState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("file"), mode: z.number(), sha256: z.string() }),
  z.object({ kind: z.literal("link"), target: z.string() }),
  z.object({ kind: z.literal("other") }),
]);
export type FileState = z.infer<typeof fileState>;

function openFolder(root: string, path: string) {
  return openVisible(root, { folder: dirname(path), name: basename(path) });
}

/** Where the bytes of a file are stored, if they are not too many. */
interface Copy {
  readonly place: string;
  readonly maxBytes: number;
}

/** What is at a path of a folder, without following links. With `copy` the bytes of a file are stored there. */
export async function readFileState(root: string, path: string, copy?: Copy): Promise<FileState> {
  await using folder = await openFolder(root, path);
  if (!folder) return { kind: "absent" };
  const place = join(folder.path, basename(path));
  const stats = await lstat(place).catch(() => undefined);
  if (!stats) return { kind: "absent" };
  if (stats.isSymbolicLink()) return { kind: "link", target: await readlink(place) };
  if (!stats.isFile()) return { kind: "other" };
  await using file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const opened = await file.stat();
  if (!opened.isFile()) return { kind: "other" };
  if (copy && opened.size > copy.maxBytes) {
    const size = `${Math.floor(copy.maxBytes / 1024 / 1024)} MiB`;
    const detail = `${path} is larger than ${size}, so it could not be kept for undo. Do this in a shell.`;
    throw new OrderError("bad-path", detail);
  }
  const sha256 = await copyBytes(file, opened.size, copy?.place);
  return { kind: "file", mode: opened.mode & 0o777, sha256 };
}

/**
 * Copies a file in pieces, because it may be large, up to the size that it had when it was opened: it may grow all
 * the time. Returns the hash of its bytes.
 */
async function copyBytes(file: FileHandle, size: number, to: string | undefined): Promise<string> {
  const hash = createHash("sha256");
  const copy = to === undefined ? undefined : await open(to, "wx", 0o600);
  try {
    const piece = Buffer.alloc(PIECE);
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE, size - at), at);
      if (bytesRead === 0) return hash.digest("hex");
      const bytes = piece.subarray(0, bytesRead);
      hash.update(bytes);
      await copy?.writeFile(bytes);
      at += bytesRead;
    }
  } finally {
    await copy?.close();
  }
}

export function isSameState(one: FileState, other: FileState): boolean {
  if (one.kind === "file" && other.kind === "file") {
    return one.sha256 === other.sha256 && one.mode === other.mode;
  }
  if (one.kind === "link" && other.kind === "link") return one.target === other.target;
  return one.kind === other.kind && one.kind !== "other";
}

/**
 * Makes a path of a folder what it was. Nothing is written through a link: a file or link is made under another
 * name and moved into its place. Returns false if its folder is not there any more.
 */
export async function writeFileState(
  root: string,
  path: string,
  state: FileState,
  copy: string,
): Promise<boolean> {
  await using folder = await openFolder(root, path);
  if (!folder) return state.kind === "absent";
  const place = join(folder.path, basename(path));
  const made = join(folder.path, `.signalbox-${crypto.randomUUID()}`);
  switch (state.kind) {
    case "absent":
      await unlink(place).catch(ignoreMissing);
      return true;
    case "link":
      await symlink(state.target, made);
      break;
    case "file": {
      await using file = await open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      for await (const bytes of createReadStream(copy)) await file.writeFile(bytes as Buffer);
      await file.chmod(state.mode);
      break;
    }
    default:
      return false;
  }
  await rename(made, place);
  return true;
}

/** Deletes a file or a link of a folder. */
export async function deleteFile(root: string, path: string): Promise<void> {
  await using folder = await openFolder(root, path);
  if (folder) await unlink(join(folder.path, basename(path))).catch(ignoreMissing);
}

function ignoreMissing(failure: unknown): void {
  if ((failure as NodeJS.ErrnoException).code !== "ENOENT") throw failure;
}
