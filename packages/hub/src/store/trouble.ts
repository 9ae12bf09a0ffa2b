import { SQLiteError } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { join } from "node:path";
import { isReadOnly, findWriteProblem } from "../data/write-probe.ts";
import { DATABASE } from "./database.ts";
import type { StoreHealth, StoreTrouble } from "./store.ts";

const troubles: readonly (readonly [code: string, trouble: StoreTrouble | "refused"])[] = [
  ["SQLITE_FULL", "disk-full"],
  ["SQLITE_READONLY", "read-only"],
  ["SQLITE_CANTOPEN", "read-only"],
  ["SQLITE_PERM", "read-only"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  ["SQLITE_CONSTRAINT", "refused"],
  ["SQLITE_MISMATCH", "refused"],
  ["SQLITE_TOOBIG", "refused"],
  ["SQLITE_RANGE", "refused"],
  ["SQLITE_ERROR", "refused"],
];

/**
 * Returns what is wrong with the store, or undefined if only the request was invalid. All other
 * errors of SQLite may be temporary: I/O errors, too little memory, a lock of another program.
 */
export function classifyError(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof SQLiteError)) return undefined;
  const code = error.code ?? "";
  const trouble = troubles.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "io-error";
  return trouble === "refused" ? undefined : trouble;
}

/** A disk with less free space than this counts as full. */
const MIN_FREE_BYTES = 256 * 1024;

/**
 * SQLite reports "I/O error" or "cannot open" for many causes; the disk itself is often more
 * precise.
 */
export function refineTrouble(trouble: StoreTrouble, folder: string): StoreTrouble {
  if (trouble !== "io-error" && trouble !== "read-only") return trouble;
  const problem = findWriteProblem(folder);
  if (isReadOnly(problem)) return "read-only";
  if (problem !== undefined && problem !== "ENOSPC") return "io-error";
  return hasRoom(folder) ? "io-error" : "disk-full";
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return true; // a disk that cannot report its space is failing, not full
  }
}

/** The message for a person. */
export function createUnwritableHealth(
  why: StoreTrouble,
  folder: string,
  message: string,
): StoreHealth {
  const file = join(folder, DATABASE);
  const details: Record<StoreTrouble, string> = {
    "disk-full": `The disk of ${folder} is full. Everything stored so far is kept, and nothing new is accepted. Free some space, and the hub continues automatically.`,
    "read-only": `${folder} cannot be written (${message}). Everything stored can be read, but nothing can be started or changed. Make the disk writable and restart the hub.`,
    damaged: `The database ${file} is damaged (${message}). It was left unchanged, and nothing is written to it. Copy the folder to a safe place, then stop the hub and either restore a backup with \`signalbox restore FILE\`, or move ${DATABASE} and the files ${DATABASE}-wal and ${DATABASE}-shm aside and start with \`signalbox serve --new-database\`.`,
    "io-error": `The database in ${folder} cannot be written at the moment (${message}). Everything acknowledged is kept, and nothing new is accepted until the database has been opened again and checked, which is retried automatically. Check the disk.`,
    "files-changed": `The files of the hub's database changed while the hub was running: ${message}. Nothing new is accepted or written. Put the same files back, and the hub continues automatically; or stop the hub, restore a backup with \`signalbox restore FILE\` and start the hub again.`,
  };
  return { writable: false, why, detail: details[why] };
}

/** The files are back, but the last data written to them was never acknowledged. */
export function createRestartNeededHealth(folder: string): StoreHealth {
  const detail = `The hub's database was removed while the hub was running, and is back in ${folder}, complete. It was removed during a write, so this process cannot tell whether that write was stored. Restart the hub to continue with everything that is stored.`;
  return { writable: false, why: "files-changed", detail };
}
