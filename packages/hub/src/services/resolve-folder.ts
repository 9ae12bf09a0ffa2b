import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { HubRefusal } from "../refusal.ts";

/** Resolves a folder to its real path. On another machine only that machine's runner can do so. */
export async function resolveFolder(own: boolean, folder: string): Promise<string> {
  if (folder.includes("\0")) {
    throw createBadFolderRefusal(folder.replaceAll("\0", "␀"), "its name contains a NUL character");
  }
  if (!isAbsolute(folder)) throw createBadFolderRefusal(folder, "it is not an absolute path");
  if (!own) return folder;
  const real = await realpath(folder).catch((why: NodeJS.ErrnoException) => {
    throw createBadFolderRefusal(
      folder,
      why.code === "ENOENT" ? "it does not exist" : (why.code ?? "unreadable"),
    );
  });
  if (!(await stat(real)).isDirectory()) throw createBadFolderRefusal(folder, "it is not a folder");
  return real;
}

function createBadFolderRefusal(folder: string, why: string): HubRefusal {
  return new HubRefusal(422, "bad-folder", `The folder ${folder} cannot be used: ${why}.`);
}
