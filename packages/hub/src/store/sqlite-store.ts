import { rmSync } from "node:fs";
import { join } from "node:path";
import type { StoreLocation } from "./store-location.ts";
import type { Queries } from "./queries.ts";
import { ReaderClient } from "./reader-client.ts";
import {
  type AuditSigning,
  type ByteRange,
  type Change,
  type CheckResult,
  type Fence,
  type LineRow,
  type RunnerClaim,
  type Store,
  StoreError,
  type StoreHealth,
  type StoreTrouble,
} from "./store.ts";
import { StructureCheck } from "./structure-check.ts";
import { createUnwritableHealth } from "./trouble.ts";
import { WriterClient } from "./writer-client.ts";

/** `Store` with two threads: one that writes and one that reads. */
export class SqliteStore implements Store {
  readonly #release: () => void;
  readonly #listeners = new Set<(health: StoreHealth) => void>();
  #writer: WriterClient | undefined;
  #reader: ReaderClient | undefined;
  #structureCheck: StructureCheck | undefined;
  #health: StoreHealth;
  #epoch = "";
  #machine = "";
  #closing: Promise<void> | undefined;
  /** Whether saving a copy of the stored data has begun since the files were removed. */
  #isSaved = false;

  static async open(location: StoreLocation): Promise<SqliteStore> {
    const store = new SqliteStore(location);
    try {
      await store.#start(location);
      return store;
    } catch (error) {
      store.#writer?.end();
      store.#reader?.end();
      store.#structureCheck?.end();
      throw error;
    }
  }

  private constructor(location: StoreLocation) {
    this.#release = location.release;
    this.#health = location.readOnlyHealth ?? { writable: true };
  }

  async #start(location: StoreLocation): Promise<void> {
    const { folder, file, readOnlyHealth, checkMs } = location;
    if (!readOnlyHealth) {
      this.#writer = new WriterClient(location, (health) => {
        this.#setHealth(health);
        if (health.writable) this.#isSaved = false;
        else if (health.why === "files-changed" && !this.#isSaved)
          void this.#saveCopy(folder, health);
      });
      await this.#writer.opened;
    }
    // A failure of the reader also stops writing, because both use the same pages.
    const stop = (why: StoreTrouble, message: string) => {
      if (this.#health.writable || readOnlyHealth)
        this.#setHealth(createUnwritableHealth(why, folder, message));
    };
    this.#reader = new ReaderClient(file, !readOnlyHealth, stop);
    await this.#reader.opened;
    this.#epoch = await this.#reader.ask("epoch");
    this.#machine = await this.#reader.ask("machine");
    this.#structureCheck = new StructureCheck({
      file,
      live: !readOnlyHealth,
      everyMs: checkMs,
      reading: this.#reader,
      onDamage: (message) => stop("damaged", message),
    });
    if (this.#health.writable || readOnlyHealth) await this.#structureCheck.begin();
  }

  get epoch(): string {
    return this.#epoch;
  }
  get machine(): string {
    return this.#machine;
  }
  get lastCheck(): CheckResult | undefined {
    return this.#structureCheck?.last;
  }
  get health(): StoreHealth {
    return this.#health;
  }
  onHealth(listener: (health: StoreHealth) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The data folder is locked for one hub, so no other hub can claim a runner. */
  claim({ runner }: RunnerClaim): Promise<Fence> {
    return Promise.resolve({ runner, token: 0 });
  }

  commit(changes: readonly Change[]): Promise<void> {
    if (this.#closing) return Promise.reject(createClosedError());
    const health = this.#health;
    if (!health.writable) return Promise.reject(new StoreError(health.why, health.detail));
    return this.#writer?.commit(changes) ?? Promise.reject(createClosedError());
  }

  signAudit(privateKey: string): void {
    this.#writer?.signAudit(privateKey);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /**
   * The writer closes last, because the last connection to close merges the log into the database.
   */
  async #close(): Promise<void> {
    this.#structureCheck?.end();
    await this.#reader?.close();
    await this.#writer?.close();
    this.#release();
  }

  /** The files were removed, but the stored data can still be read while this process lives. */
  async #saveCopy(
    folder: string,
    health: Extract<StoreHealth, { writable: false }>,
  ): Promise<void> {
    this.#isSaved = true;
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const path = join(folder, `signalbox-saved-${stamp}.sqlite`);
    try {
      await this.#read("saveCopy", path);
    } catch {
      rmSync(path, { force: true }); // an incomplete copy: only the original problem is reported
      return;
    }
    const detail = `${health.detail} Everything that was stored until then is saved in ${path}. To continue with it, stop the hub, end the agents that it left with \`signalbox stop --all\`, run \`signalbox restore ${path}\` and start the hub again.`;
    // The files may be back by now: then there is nothing to restore.
    if (!this.#closing && this.#health === health) this.#setHealth({ ...health, detail });
  }

  #setHealth(health: StoreHealth): void {
    this.#health = health;
    for (const listener of this.#listeners) listener(health);
  }

  #read<Name extends keyof Queries>(
    name: Name,
    ...values: Parameters<Queries[Name]>
  ): Promise<ReturnType<Queries[Name]>> {
    if (this.#closing || !this.#reader) return Promise.reject(createClosedError());
    return this.#reader.ask(name, ...values);
  }

  sessions = () => this.#read("sessions");
  storedSessions = () => this.#read("storedSessions");
  head = (session: string) => this.#read("head", session);
  progress = (session: string) => this.#read("progress", session);
  idPages = (session: string) => this.#read("idPages", session);
  itemsBefore = (session: string, before: number | undefined, limit: number) =>
    this.#read("itemsBefore", session, before, limit);
  itemsContaining = (session: string, text: string, limit: number) =>
    this.#read("itemsContaining", session, text, limit);
  itemsAfterRev = (session: string, rev: number, maxBytes: number) =>
    this.#read("itemsAfterRev", session, rev, maxBytes);
  countItems = (session: string, afterRev: number) => this.#read("countItems", session, afterRev);
  item = (session: string, id: string) => this.#read("item", session, id);
  linesAfter = (session: string, pos: number, limit: number, maxBytes?: number) =>
    this.#read("linesAfter", session, pos, limit, maxBytes);
  countRunLines = (session: string, run: string) => this.#read("countRunLines", session, run);
  runLines = (session: string, run: string, from: LineRow["from"], limit: number) =>
    this.#read("runLines", session, run, from, limit);
  linesBefore = (session: string, pos: number | undefined, limit: number) =>
    this.#read("linesBefore", session, pos, limit);
  run = (id: string) => this.#read("run", id);
  openAsks = () => this.#read("openAsks");
  ask = (id: string) => this.#read("ask", id);
  prompts = () => this.#read("prompts");
  drafts = () => this.#read("drafts");
  transcripts = () => this.#read("transcripts");
  messageIds = (session: string, from: "runs" | "all", limit: number) =>
    this.#read("messageIds", session, from, limit);
  orders = (runner: string) => this.#read("orders", runner);
  receipt = (id: string) => this.#read("receipt", id);
  devices = () => this.#read("devices");
  audit = (afterNth: number, limit: number) => this.#read("audit", afterNth, limit);
  auditBefore = (before: number | undefined, limit: number) =>
    this.#read("auditBefore", before, limit);
  auditHead = () => this.#read("auditHead");
  verifyAudit = (keptHeads?: readonly string[], signing?: AuditSigning) =>
    this.#read("verifyAudit", keptHeads, signing);
  blobSize = (hash: string) => this.#read("blobSize", hash);
  blob = (hash: string, range?: ByteRange) => this.#read("blob", hash, range);
  setting = (key: string) => this.#read("setting", key);
  checkIntegrity = () => this.#read("checkIntegrity");
}

function createClosedError(): StoreError {
  return new StoreError("closed", "The store is closed. It can no longer be read or written.");
}
