import { readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { COMMAND_LINE_KEY, HUB_DESCRIPTOR } from "@signalbox/api/constants";
import { AUDIT_HEAD_FILE } from "../devices/kept-audit-head.ts";
import { IDENTITY_FILE } from "../devices/identity.ts";
import { DATABASE } from "../store/database.ts";

/** A restore moves the previous state into a folder with this prefix and the time of the restore. */
export const PREVIOUS_STATE_PREFIX = "before-restore-";
/** The file in the data folder that describes the last backup, for `signalbox doctor`. */
export const LAST_BACKUP = "last-backup.json";

/**
 * Folders that are not backed up: older states, and programs that are installed again when they are needed.
 */
const excludedFolders = [/^before-restore-/, /^agents$/];
/**
 * Files that are not backed up: SQLite copies the database itself, and locks, logs and descriptors mean
 * nothing elsewhere.
 */
const excludedFiles = [
  /^signalbox\.sqlite/,
  /^signalbox-saved-/,
  /^search\.sqlite/, // made again from the database
  /\.(?:lock|owner|sock|pid)$/,
  /\.log(?:\.\d+)?$/,
  /^probe-\d+$/,
  /^reserve$/,
  new RegExp(`^${HUB_DESCRIPTOR.replaceAll(".", "\\.")}$`),
  new RegExp(`^${AUDIT_HEAD_FILE.replaceAll(".", "\\.")}$`), // the copy of the database may be older than this file
  new RegExp(`^${LAST_BACKUP.replaceAll(".", "\\.")}$`),
];

/** The files with private keys. Whoever has them can pass for the hub, its command line, or this machine. */
const keyFiles: ReadonlySet<string> = new Set([IDENTITY_FILE, COMMAND_LINE_KEY, "credential.json"]);

export function isKeyFile(path: string): boolean {
  return keyFiles.has(basename(path));
}

/**
 * Lists every regular file of the data folder that is backed up besides the database, as relative paths.
 * Exclusions are listed rather than inclusions, so that files of later versions are included by default.
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
