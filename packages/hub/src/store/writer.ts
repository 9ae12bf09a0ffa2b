import { errorMessage } from "@signalbox/protocol/text";
import { constants, type Database, type Statement } from "bun:sqlite";
import { join } from "node:path";
import { readSigningKey, type SigningKey } from "@signalbox/runner/keys";
import { type Apply, prepareApply } from "./apply.ts";
import { type Cell, END, findEnd, isDeletion, pushChange, getWidth } from "./cells.ts";
import { DatabaseFiles } from "./database-files.ts";
import { BUSY_WAIT_MS, DATABASE, openForWriting } from "./database.ts";
import { type CommitRefusal, type Outcome, toRefusal, writeGroup } from "./group.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { OUR_MACHINE } from "./our-machine.ts";
import { Statements } from "./statements.ts";
import type { StoreHealth, StoreTrouble } from "./store.ts";
import {
  createRestartNeededHealth,
  refineTrouble,
  classifyError,
  createUnwritableHealth,
} from "./trouble.ts";

/**
 * The write-ahead log is merged into the database when it has this many pages (of 4 KiB) to merge.
 */
const CHECKPOINT_PAGES = 2000;

/**
 * How long a reader may prevent the writer from emptying the log before it is tried again later.
 */
const EMPTY_WAIT_MS = 50;

/** A client repeats a command soon after it failed, so older receipts are not needed. */
const MAX_RECEIPTS = 100_000;

interface Opened {
  readonly db: Database;
  readonly statements: Statements;
  readonly apply: Apply;
  readonly files: DatabaseFiles;
  readonly emptyLog: Statement<{ busy: number }, []>;
  /** How many pages the log has, and how many of them were copied to the database. */
  readonly logPages: Statement<{ log: number; checkpointed: number }, []>;
}

/** The only connection that writes: groups, checkpoints, and the handling of disk failures. */
export class Writer {
  readonly #folder: string;
  readonly #reserve: DiskReserve;
  readonly #onHealth: (health: StoreHealth) => void;
  #opened: Opened | undefined;
  #health: StoreHealth = { writable: true };
  #notBefore = 0;
  #auditKey: SigningKey | undefined;
  /** Whether removed files can be used again once they are back. */
  #filesCanComeBack = false;
  /**
   * Whether a group was written to files that were just being removed: it is stored, but was not
   * acknowledged.
   */
  #groupIsInDoubt = false;
  /** Whether the write-ahead log may contain deleted data. */
  #logIsToBeEmptied = true;

  constructor(folder: string, tell: (health: StoreHealth) => void) {
    this.#folder = folder;
    this.#reserve = new DiskReserve(folder);
    this.#onHealth = tell;
  }

  get health(): StoreHealth {
    return this.#health;
  }

  /** Starts signing audit entries. */
  signAudit(privateKey: string): void {
    this.#auditKey = readSigningKey(privateKey);
  }

  /**
   * Opens the database. Throws if this hub must not open it; a disk failure is reported as health.
   */
  open(): void {
    try {
      this.#opened = this.#connect();
      this.#reserve.fill();
      deleteOldReceipts(this.#opened.db);
      deleteIncompletePieces(this.#opened.db);
      this.#emptyLog(this.#opened); // left by a hub that was killed after it had deleted something
    } catch (error) {
      if (!this.#stop(error)) throw error;
    }
  }

  /**
   * Returns the result of each commit; undefined if none of them counts, and `health` says why. The
   * files are checked before and after, because data that was written to a removed file must not be
   * acknowledged.
   */
  write(cells: readonly Cell[]): Outcome | undefined {
    if (!this.checkFiles() || !this.#opened) return undefined;
    try {
      const outcome = writeGroup(this.#opened.db, this.#opened.apply, cells);
      if (hasDeletion(cells)) this.#logIsToBeEmptied = true;
      if (this.checkFiles()) return outcome;
      this.#groupIsInDoubt = true;
      return undefined;
    } catch (error) {
      return this.#stop(error) ? undefined : refuseAll(cells, toRefusal(error));
    }
  }

  /** Returns whether the store can be written. Stops it if its files were removed. */
  checkFiles(): boolean {
    if (!this.#health.writable || !this.#opened) return false;
    try {
      const { files, logPages } = this.#opened;
      const problem = files.findProblem(() => logPages.get()?.log ?? 0);
      if (problem === undefined) return true;
      this.#filesCanComeBack = problem.canComeBack;
      this.#setTrouble("files-changed", problem.description);
    } catch (error) {
      if (!this.#stop(error)) this.#setTrouble("io-error", errorMessage(error));
    }
    return false;
  }

  /** Call this when there is nothing more urgent. */
  tidy(): void {
    if (!this.#health.writable || !this.#opened) return;
    try {
      if (this.#logIsToBeEmptied) this.#emptyLog(this.#opened);
      const { log, checkpointed } = this.#opened.logPages.get() ?? { log: 0, checkpointed: 0 };
      if (log - checkpointed > CHECKPOINT_PAGES) checkpoint(this.#opened.db);
    } catch (error) {
      if (!this.#stop(error)) throw error;
    }
  }

  /**
   * Merges the whole log into the database and truncates it. Waits while somebody reads from it.
   */
  #emptyLog({ db, emptyLog }: Opened): void {
    db.run(`PRAGMA busy_timeout = ${EMPTY_WAIT_MS}`);
    try {
      this.#logIsToBeEmptied = emptyLog.get()?.busy !== 0;
    } finally {
      db.run(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`);
    }
  }

  /**
   * Checks whether the store can be written again; a possibly damaged database is checked first.
   */
  retry(): void {
    if (this.#health.writable || isFinal(this.#health.why)) return;
    const begun = performance.now();
    if (begun < this.#notBefore) return;
    const { why } = this.#health;
    try {
      const opened = why === "files-changed" ? this.#filesAreBack() : this.#reconnect();
      if (!opened) return;
      if (why !== "disk-full") refuseUnsound(opened.db);
      this.#reserve.fill();
      this.#note("store-resumed", why);
      this.#health = { writable: true };
      this.#onHealth(this.#health);
    } catch (error) {
      if (error instanceof UnsoundDatabaseError) this.#setTrouble("damaged", error.message);
      // Checking a large database takes long, so at most a tenth of the time is spent on attempts.
      this.#notBefore = performance.now() + 10 * (performance.now() - begun);
    }
  }

  #reconnect(): Opened {
    this.#disconnect();
    return (this.#opened = this.#connect());
  }

  /**
   * The connection that has had the files open all the time, wherever they were; undefined if there
   * is none yet.
   */
  #filesAreBack(): Opened | undefined {
    if (!this.#filesCanComeBack || !this.#opened) return undefined;
    const { files, logPages } = this.#opened;
    if (files.findProblem(() => logPages.get()?.log ?? 0)) return undefined;
    if (!this.#groupIsInDoubt) return this.#opened;
    this.#filesCanComeBack = false; // reported once
    this.#health = createRestartNeededHealth(this.#folder);
    this.#onHealth(this.#health);
    return undefined;
  }

  close(): void {
    if (this.#health.writable || this.#health.why !== "files-changed") this.#disconnect();
    // Otherwise the connection ends with its thread: closing it would delete files by name, and
    // these names now belong to other files.
    else this.#opened?.db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
  }

  #connect(): Opened {
    const path = join(this.#folder, DATABASE);
    const db = openForWriting(path);
    const statements = new Statements(db);
    const logPages = statements.prepare<{ log: number; checkpointed: number }, []>(
      "PRAGMA wal_checkpoint(NOOP)",
    );
    const apply = prepareApply(statements, (text) => this.#auditKey?.sign(text));
    const emptyLog = statements.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
    const files = new DatabaseFiles(path, pageBytes(statements));
    return { db, statements, apply, files, logPages, emptyLog };
  }

  #disconnect(): void {
    this.#opened?.statements[Symbol.dispose]();
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  /** Stops writing; returns false if the error is no failure of the store. */
  #stop(error: unknown): boolean {
    const trouble = classifyError(error) ?? (isErrno(error, "ENOSPC") ? "disk-full" : undefined);
    if (!trouble) return false;
    const why = refineTrouble(trouble, this.#folder);
    this.#setTrouble(why, errorMessage(error));
    if (why === "disk-full") this.#writeLastEntry();
    return true;
  }

  #setTrouble(why: StoreTrouble, message: string): void {
    this.#health = createUnwritableHealth(why, this.#folder, message);
    this.#onHealth(this.#health);
  }

  /**
   * Uses the reserved space to record when and why writing stopped, and to merge everything into
   * one file.
   */
  #writeLastEntry(): void {
    try {
      this.#reserve.release();
      this.#opened ??= this.#connect(); // reading a database also needs some space
      this.#note("store-stopped", "disk-full");
      if (this.#opened) checkpoint(this.#opened.db);
    } catch {
      // Otherwise the record ends with the last acknowledged commit, which is on the disk.
    }
  }

  #note(what: string, why: StoreTrouble): void {
    if (!this.#opened) return;
    const cells: Cell[] = [];
    const news = { at: Date.now(), what, by: null, session: null, facts: { why } };
    pushChange(cells, { kind: "audit", news });
    cells.push(END);
    const [refusal] = writeGroup(this.#opened.db, this.#opened.apply, cells);
    if (refusal) throw new Error(refusal.message);
  }
}

/** Failures that only a person can fix, followed by a restart. */
function isFinal(why: StoreTrouble): boolean {
  return why === "damaged";
}

function pageBytes(statements: Statements): number {
  const row = statements.prepare<{ page_size: number }, []>("PRAGMA page_size").get();
  return row?.page_size ?? 4096;
}

function hasDeletion(cells: readonly Cell[]): boolean {
  for (let at = 0; at < cells.length;) {
    if (cells[at] === END) at += 1;
    else if (isDeletion(cells[at] as number)) return true;
    else at += 1 + getWidth(cells, at);
  }
  return false;
}

/**
 * Deletes by number and not by age, because clocks jump. Any hub answers with these receipts, so
 * their owner does not matter.
 */
function deleteOldReceipts(db: Database): void {
  const newest = "(SELECT max(rowid) FROM receipts)";
  db.run(`DELETE FROM receipts WHERE rowid <= ${newest} - ${MAX_RECEIPTS}`);
}

/**
 * Deletes incomplete pieces that were being sent to this hub when it ended: they are sent again
 * from the beginning. Pieces for hubs of other machines stay.
 */
function deleteIncompletePieces(db: Database): void {
  db.run(
    `DELETE FROM pieces WHERE "machine" = ${OUR_MACHINE} AND "of" NOT IN (SELECT "of" FROM longBlobs)`,
  );
}

/** Merges as much as is possible without waiting for readers. */
function checkpoint(db: Database): void {
  db.run("PRAGMA wal_checkpoint(PASSIVE)");
}

class UnsoundDatabaseError extends Error {}

function refuseUnsound(db: Database): void {
  const [first] = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
  if (first?.quick_check !== "ok")
    throw new UnsoundDatabaseError(first?.quick_check ?? "it cannot be checked");
}

function refuseAll(cells: readonly Cell[], refusal: CommitRefusal): Outcome {
  const outcome: Outcome = [];
  for (let at = 0; at < cells.length; at = findEnd(cells, at)) outcome.push(refusal);
  return outcome;
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
