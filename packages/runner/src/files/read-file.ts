import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { FileContent } from "@signalbox/api";
import { decodeStrictly, listHiddenFromGit } from "@signalbox/host/git";
import { openInside } from "@signalbox/host/system";
import { OrderError } from "../supervise/order-error.ts";
import { requireVisiblePath } from "./visible-path.ts";

const MAX_TEXT = 1024 * 1024;
/** How much of a file is searched for NUL, by which binary files are known; Git does the same. */
const SEARCHED_BYTES = 8000;

/** Reads a file below a session's folder. A link is named, not followed. */
export async function readSessionFile(root: string, path: string): Promise<FileContent> {
  const plain = requireVisiblePath(root, path);
  await using folder = await openInside(root, dirname(plain));
  if (!folder) return { kind: "none" };
  const real = join(folder.realPath, basename(plain));
  // A link in the path may lead into what is hidden, inside of the session's folder.
  requireVisiblePath(root, real.slice(root.length).replace(/^\/+/, ""));
  if (listHiddenFromGit().includes(real)) throw new OrderError("bad-path", `${path} is hidden.`);
  const file = join(folder.path, basename(plain));
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { kind: "link", target: await readlink(file) };
  if (!stats?.isFile()) return { kind: "none" };
  await using opened = await open(
    file,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  const { size } = await opened.stat();
  const buffer = Buffer.alloc(Math.min(size, MAX_TEXT));
  const { bytesRead } = await opened.read(buffer, 0, buffer.length, 0);
  const bytes = buffer.subarray(0, bytesRead);
  if (bytes.subarray(0, SEARCHED_BYTES).includes(0)) return { kind: "binary", bytes: size };
  const isCut = size > MAX_TEXT;
  const whole = isCut ? bytes.subarray(0, bytes.lastIndexOf(10) + 1 || bytes.length) : bytes;
  const text = decodeStrictly(whole);
  if (text === undefined) return { kind: "binary", bytes: size };
  return { kind: "text", text, bytes: size, cut: isCut };
}
