import { join, resolve } from "node:path";
import { prepareFolder } from "../data/folder.ts";
import { lockFolder } from "../data/folder-lock.ts";
import { isReadOnly, findWriteProblem } from "../data/write-probe.ts";
import { DATABASE } from "./database.ts";
import { checkDatabaseFiles } from "./existing-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { Store, StoreHealth } from "./store.ts";
import { createUnwritableHealth } from "./trouble.ts";

/** A check reads the whole file, so it is made seldom. */
const CHECK_MS = 6 * 60 * 60 * 1000;

export interface StoreOptions {
  /** How often a store that cannot be written is tried again. */
  readonly retryMs?: number;
  /** Begin with an empty database where the one of before is missing. */
  readonly newDatabase?: boolean;
  /** Reads the private key with which audit entries are signed, once the folder is known to be ours. */
  readonly auditKey?: (folder: string) => string | undefined;
  /** How often the structure of the database is checked while the hub runs. */
  readonly checkMs?: number;
}

/**
 * Opens the store in a folder that is ours alone, and holds it until it is closed. Rejects when the folder
 * or its database is not ours to use: foreign, held by another hub, missing where it should be, or written by a newer version. A disk
 * that cannot be written and a damaged database are no reason to stay away: `health` says so.
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
