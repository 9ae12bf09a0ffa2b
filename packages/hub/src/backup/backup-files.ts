import { readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { COMMAND_LINE_KEY, HUB_DESCRIPTOR } from "@signalbox/api";
import { AUDIT_HEAD_FILE } from "../devices/kept-audit-head.ts";
import { IDENTITY_FILE } from "../devices/identity.ts";
import { DATABASE } from "../store/database.ts";

/** What a restore moves aside is kept under this name, with the time of the restore. */
export const PREVIOUS_STATE_PREFIX = "before-restore-";
/** What the data folder says about the last backup, for `signalbox doctor`. */
export const LAST_BACKUP = "last-backup.json";

/** Folders that are no part of a backup: older states, and programs that are installed again when needed. */
const excludedFolders = [/^before-restore-/, /^agents$/];
/** The database itself is copied by SQLite; locks, logs, descriptors and spare room mean nothing elsewhere. */
const excludedFiles = [
  /^signalbox\.sqlite/,
  /^signalbox-saved-/,
  /\.(?:lock|owner|sock|pid)$/,
  /\.log(?:\.\d+)?$/,
  /^probe-\d+$/,
  /^reserve$/,
  new RegExp(`^${HUB_DESCRIPTOR.replaceAll(".", "\\.")}$`),
  new RegExp(`^${AUDIT_HEAD_FILE.replaceAll(".", "\\.")}$`), // the copy of the database may be older
  new RegExp(`^${LAST_BACKUP.replaceAll(".", "\\.")}$`),
];

/** Private keys: whoever has them passes for the hub, for its command line, or for this machine elsewhere. */
const keyFiles: ReadonlySet<string> = new Set([IDENTITY_FILE, COMMAND_LINE_KEY, "credential.json"]);

export function isKeyFile(path: string): boolean {
  return keyFiles.has(basename(path));
}

/**
 * Every regular file of the data folder that belongs into a backup beside the database, relative to it. By
 * what is left out, so that files that come with a later version are in it by themselves.
 */
export function listFilesToBackUp(folder: string): string[] {
  const found: string[] = [];
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !excludedFolders.some((name) => name.test(entry.name))) walk(path);
      if (entry.isFile() && !excludedFiles.some((name) => name.test(entry.name))) {
        found.push(relative(folder, path));
      }
    }
  };
  walk(folder);
  return found.toSorted();
}

export const getDatabasePath = (folder: string): string => join(folder, DATABASE);
