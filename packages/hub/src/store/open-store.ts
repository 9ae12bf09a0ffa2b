import { join, resolve } from "node:path";
import { prepareFolder } from "../data/folder.ts";
import { lockFolder } from "../data/folder-lock.ts";
import { isReadOnly, findWriteProblem } from "../data/write-probe.ts";
import { DATABASE } from "./database.ts";
import { checkDatabaseFiles } from "./existing-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { Store, StoreHealth } from "./store.ts";
import { createUnwritableHealth } from "./trouble.ts";

/** The time between two checks, which read the whole file. */
const CHECK_MS = 6 * 60 * 60 * 1000;

export interface StoreOptions {
  /** The time between two attempts to write to a store that cannot be written. */
  readonly retryMs?: number;
  /** Starts with an empty database if the earlier one is missing. */
  readonly newDatabase?: boolean;
  /** Reads the private key for signing audit entries, once the folder is locked for this hub. */
  readonly auditKey?: (folder: string) => string | undefined;
  /** How often the structure of the database is checked while the hub runs. */
  readonly checkMs?: number;
}

/**
 * Opens the store in a folder and locks it until the store is closed. Rejects if this hub must not
 * use the folder or its database: it belongs to somebody else, is held by another hub, is missing,
 * or was written by a newer version. A disk that cannot be written and a damaged database are no
 * errors here: `health` reports them.
 */
export async function openStore(folder: string, options: StoreOptions = {}): Promise<Store> {
  const path = resolve(folder);
  prepareFolder(path);
  const frozen = readOnly(path);
  const lock = frozen ? undefined : lockFolder(path);
  try {
    checkDatabaseFiles(path, options.newDatabase ?? false);
    return await SqliteStore.open({
      folder: path,
      file: join(path, DATABASE),
      readOnlyHealth: frozen,
      retryMs: options.retryMs ?? 1000,
      checkMs: options.checkMs ?? CHECK_MS,
      auditKey: options.auditKey?.(path),
      release: () => lock?.release(),
    });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function readOnly(folder: string): StoreHealth | undefined {
  if (!isReadOnly(findWriteProblem(folder))) return undefined;
  return createUnwritableHealth("read-only", folder, "the disk or the folder is read-only");
}
