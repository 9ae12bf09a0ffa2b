import { join } from "node:path";
import { listHiddenFromGit } from "@signalbox/host/git";
import { type FolderInside, openInside } from "@signalbox/host/system";
import { OrderError } from "../supervise/order-error.ts";

/** Real paths that nobody may read or change through a session's folder, which may be around them. */
export type HiddenPaths = readonly string[];

/**
 * Opens the folder of a file that is read or changed for a person, below a session's folder. Throws if the file is
 * one of Signalbox's own, or something else that agents must not see.
 */
export async function openVisible(
  root: string,
  { folder, name }: { readonly folder: string; readonly name: string },
  hidden: HiddenPaths = listHiddenFromGit(),
): Promise<FolderInside | undefined> {
  const opened = await openInside(root, folder);
  if (!opened || !isHidden(join(opened.realPath, name), hidden)) return opened;
  await opened[Symbol.asyncDispose]();
  throw new OrderError("bad-path", `${join(folder, name)} is hidden from sessions.`);
}

/** Whether a path is hidden, lies in something hidden, or is a folder around it. */
export function isHidden(path: string, hidden: HiddenPaths): boolean {
  return hidden.some((one) => isWithin(one, path) || isWithin(path, one));
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
