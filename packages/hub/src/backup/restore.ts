import { errorMessage } from "@signalbox/protocol/text";
import { constants, Database } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, normalize, resolve, sep } from "node:path";
import { prepareFolder } from "../data/folder.ts";
import { isRunnerFolderLocked } from "@signalbox/runner/lock";
import { FolderLockedError, lockFolder } from "../data/folder-lock.ts";
import {
  IDENTITY_FILE,
  type StoredIdentity,
  readStoredIdentity,
  readPrivateKey,
} from "../devices/identity.ts";
import { DATABASE } from "../store/database.ts";
import { migrations } from "../store/migrations.ts";
import { openStore } from "../store/open-store.ts";
import {
  PREVIOUS_STATE_PREFIX,
  getDatabasePath,
  listFilesToBackUp,
  isKeyFile,
} from "./backup-files.ts";
import { BackupError } from "./backup-error.ts";

export interface RestoreResult {
  /** Where the folder's previous content is now; undefined: there was none. */
  readonly previousState: string | undefined;
  /**
   * When the backup was made; undefined: it is a plain database, such as one that the hub saved by itself.
   */
  readonly madeAt: number | undefined;
  readonly files: number;
  /**
   * Where the hub's private keys come from: the backup, or the folder if the same hub was there before. With
   * `none` the hub makes new keys, and every device has to be paired again.
   */
  readonly keys: "backup" | "folder" | "none";
}

/** The name of a restored database while it is prepared. It is renamed last. */
const DRAFT = `${DATABASE}.restoring`;
const preservedNames = new Set(["hub.lock", "hub.owner", DRAFT]);

/**
 * Replaces the content of the data folder with a backup. The previous content is moved aside and never
 * deleted. Refused while a hub or its runner uses the folder. The audit log records the restore, and clients
 * have to load everything again.
 */
export async function restoreBackup(folder: string, file: string): Promise<RestoreResult> {
  const source = resolve(file);
  checkBackup(source);
  prepareFolder(folder);
  const restored = underLocks(folder, () => {
    try {
      return replace(folder, source);
    } finally {
      rmSync(join(folder, DRAFT), { force: true }); // a refused restore may have left it
    }
  });
  await using store = await openStore(folder, { auditKey: readPrivateKey });
  if (!store.health.writable) throw new BackupError(store.health.detail);
  const facts = { madeAt: restored.madeAt ?? null };
  const news = { at: Date.now(), what: "restored", by: null, session: null, facts };
  await store.commit([{ kind: "audit", news }]);
  return restored;
}

/** Refuses a file that is not a complete Signalbox database or that this program cannot read. */
function checkBackup(source: string): void {
  if (!existsSync(source)) throw new BackupError(`The file ${source} does not exist.`);
  const refuse = (why: string) =>
    new BackupError(`${source} cannot be restored: ${why}. Nothing was changed.`);
  let version: number;
  try {
    using db = new Database(source, constants.SQLITE_OPEN_READONLY);
    const [found] = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
    if (found?.quick_check !== "ok") throw refuse(`it is damaged (${found?.quick_check})`);
    const epoch = db.query(`SELECT "value" FROM settings WHERE "key" = 'store.epoch'`).get();
    if (epoch === null) throw refuse("it is not the database of a hub");
    version =
      db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw refuse(
      `it is not a backup that was made with \`signalbox backup\` (${errorMessage(error)})`,
    );
  }
  if (version > migrations.length) throw refuse("it was made by a newer version of this program");
}

function underLocks<T>(folder: string, work: () => T): T {
  const lock = lockFolder(folder);
  try {
    const runner = join(folder, "runner");
    // A runner that is still running holds lines and agents of the state that is about to be replaced.
    if (existsSync(runner) && isRunnerFolderLocked(runner))
      throw new FolderLockedError(runner, "runner");
    return work();
  } finally {
    lock.release();
  }
}

function replace(folder: string, source: string): RestoreResult {
  const draft = join(folder, DRAFT);
  rmSync(draft, { force: true });
  const contents = prepare(source, draft);
  const aside = moveAside(folder);
  for (const { path, mode, bytes } of contents.files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, bytes, { mode: 0o600 });
    chmodSync(target, (mode & 0o700) | 0o600);
  }
  const keys = keepKeys(folder, aside, draft, contents);
  if (keys === "none") forgetDevices(draft);
  renameSync(draft, getDatabasePath(folder));
  return { previousState: aside, madeAt: contents.madeAt, files: contents.files.length, keys };
}

/** If the backup has no keys, keeps those of the folder, provided that they belong to the same hub. */
function keepKeys(
  folder: string,
  aside: string | undefined,
  draft: string,
  { files, hub }: Contents,
): RestoreResult["keys"] {
  if (files.some(({ path }) => path === IDENTITY_FILE)) return "backup";
  const identity = aside === undefined ? undefined : readStoredIdentity(aside);
  if (aside === undefined || !identity) return "none";
  const isSameHub = hub === undefined || hub === identity.hub;
  if (!isSameHub || !holdsEntry(draft, identity.auditStart)) return "none";
  for (const path of listFilesToBackUp(aside).filter(isKeyFile)) {
    if (existsSync(join(folder, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    copyFileSync(join(aside, path), join(folder, path));
    chmodSync(join(folder, path), 0o600);
  }
  return "folder";
}

/**
 * Whether the audit has the entry with which this hub began to sign. An older audit, or one that somebody
 * wrote anew, does not have it, so nothing in it vouches for its devices.
 */
function holdsEntry(draft: string, entry: StoredIdentity["auditStart"]): boolean {
  if (!entry) return true;
  using db = new Database(draft, constants.SQLITE_OPEN_READONLY);
  const sql = `SELECT "hash" FROM audit WHERE "nth" = ?`;
  return db.query<{ hash: string }, [number]>(sql).get(entry.nth)?.hash === entry.hash;
}

/**
 * Removes all devices, because they know the hub by a key that is gone and would refuse any other. Without
 * devices the hub offers the first pairing at its start; otherwise nobody could get in.
 */
function forgetDevices(draft: string): void {
  using db = new Database(draft, { readwrite: true });
  db.run("DELETE FROM devices");
}

interface StoredFile {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

interface Contents {
  readonly files: readonly StoredFile[];
  readonly madeAt?: number;
  /** The id of the hub that the database belongs to. */
  readonly hub: string | undefined;
}

/** Copies the database, extracts the files in it, and sets a new epoch so that revisions start over. */
function prepare(source: string, draft: string): Contents {
  copyFileSync(source, draft);
  chmodSync(draft, 0o600);
  using db = new Database(draft, { readwrite: true });
  db.run("PRAGMA secure_delete = ON");
  db.run(`UPDATE settings SET "value" = lower(hex(randomblob(16))) WHERE "key" = 'store.epoch'`);
  const isWhole = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'backupFiles'").get() !== null;
  const hub = db
    .query<{ value: string }, []>(`SELECT "value" FROM settings WHERE "key" = 'hub-id'`)
    .get()?.value;
  if (!isWhole) return { files: [], hub };
  const files = db.query<StoredFile, []>(`SELECT "path", "mode", "bytes" FROM backupFiles`).all();
  const { at } = db.query<{ at: number }, []>(`SELECT "at" FROM backupFacts`).get() ?? { at: 0 };
  for (const { path } of files) requireInside(path);
  db.run("DROP TABLE backupFiles");
  db.run("DROP TABLE backupFacts");
  return { files, madeAt: at, hub };
}

/** Refuses paths outside of the folder, which only a tampered backup has. */
function requireInside(path: string): void {
  const isInside = normalize(path) === path && !path.startsWith(sep) && !path.startsWith("..");
  if (isInside && !path.includes("\0") && !preservedNames.has(path) && !path.startsWith(DATABASE))
    return;
  throw new BackupError(
    `The backup contains a file with an invalid name (${JSON.stringify(path)}).`,
  );
}

function moveAside(folder: string): string | undefined {
  const names = readdirSync(folder).filter(
    (name) => !preservedNames.has(name) && !name.startsWith(PREVIOUS_STATE_PREFIX),
  );
  if (names.length === 0) return undefined;
  const aside = join(
    folder,
    PREVIOUS_STATE_PREFIX + new Date().toISOString().replaceAll(/[:.]/g, "-"),
  );
  mkdirSync(aside, { mode: 0o700 });
  for (const name of names) renameSync(join(folder, name), join(aside, name));
  return aside;
}
