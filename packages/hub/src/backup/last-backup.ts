import { join } from "node:path";
import { readPrivateFile } from "../data/private-file.ts";
import { LAST_BACKUP } from "./backup-files.ts";

export interface LastBackup {
  readonly at: number;
  readonly file: string;
}

/** Describes the last backup of a data folder; undefined: none is known. */
export function readLastBackup(folder: string): LastBackup | undefined {
  try {
    const { at, file } = JSON.parse(readPrivateFile(join(folder, LAST_BACKUP)) ?? "") as LastBackup;
    return Number.isFinite(at) && typeof file === "string" ? { at, file } : undefined;
  } catch {
    return undefined;
  }
}
