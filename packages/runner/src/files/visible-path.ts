import { normalize } from "node:path";
import { listHiddenFromGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { join } from "node:path";

/**
 * The path of a file or a folder below a session's folder, in its plain form. Throws if it leads out by its name,
 * into Git's own folder, which may hold credentials, or into what is hidden from agents.
 */
export function requireVisiblePath(root: string, path: string): string {
  const plain = normalize(path).replace(/\/+$/, "");
  const parts = plain.split("/");
  const isInside = !plain.startsWith("/") && plain !== "." && parts[0] !== ".." && plain !== "";
  if (!isInside || plain.includes("\0")) {
    throw new OrderError("bad-path", `The path ${path} is not inside the session's folder.`);
  }
  const full = join(root, plain);
  const isOwn = listHiddenFromGit().some((one) => full === one || full.startsWith(`${one}/`));
  if (isOwn || parts.some((part) => part.toLowerCase() === ".git")) {
    throw new OrderError("bad-path", `${path} is hidden from sessions.`);
  }
  return plain;
}
