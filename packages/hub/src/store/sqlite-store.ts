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
  #writing: WriterClient | undefined;
  #reading: ReaderClient | undefined;
  #check: StructureCheck | undefined;
  #health: StoreHealth;
  #epoch = "";
  #machine = "";
  #closing: Promise<void> | undefined;
  /** Whether saving a copy of the stored data has begun since the files were removed. */
  #isSaved = false;

  static async open(place: StoreLocation): Promise<SqliteStore> {
    const store = new SqliteStore(place);
    try {
      await store.#start(place);
      return store;
    } catch (error) {
      store.#writing?.end();
      store.#reading?.end();
      store.#check?.end();
      throw error;
    }
  }

  private constructor(place: StoreLocation) {
    this.#release = place.release;
    this.#health = place.readOnlyHealth ?? { writable: true };
  }

  async #start(place: StoreLocation): Promise<void> {
    const { folder, file, readOnlyHealth: frozen, checkMs } = place;
    if (!frozen) {
      this.#writing = new WriterClient(place, (health) => {
        this.#setHealth(health);
        if (health.writable) this.#isSaved = false;
        else if (health.why === "files-changed" && !this.#isSaved) void this.#save(folder, health);
      });
      await this.#writing.opened;
    }
    // A failure of the reader also stops writing, because both use the same pages.
    const stop = (why: StoreTrouble, message: string) => {
      if (this.#health.writable || frozen)
        this.#setHealth(createUnwritableHealth(why, folder, message));
    };
    this.#reading = new ReaderClient(file, !frozen, stop);
    await this.#reading.opened;
    this.#epoch = await this.#reading.ask("epoch");
    this.#machine = await this.#reading.ask("machine");
    this.#check = new StructureCheck({
      file,
      live: !frozen,
      everyMs: checkMs,
      reading: this.#reading,
      onDamage: (message) => stop("damaged", message),
    });
    if (this.#health.writable || frozen) await this.#check.begin();
  }

  get epoch(): string {
    return this.#epoch;
  }
  get machine(): string {
    return this.#machine;
  }
  get lastCheck(): CheckResult | undefined {
    return this.#check?.last;
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
    if (this.#closing) return Promise.reject(closed());
    const health = this.#health;
    if (!health.writable) return Promise.reject(new StoreError(health.why, health.detail));
    return this.#writing?.commit(changes) ?? Promise.reject(closed());
  }

  signAudit(privateKey: string): void {
    this.#writing?.signAudit(privateKey);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /**
   * The writer closes last, because the last connection to close merges the log into the database.
   */
  async #close(): Promise<void> {
    this.#check?.end();
    await this.#reading?.close();
    await this.#writing?.close();
    this.#release();
  }

  /** The files were removed, but the stored data can still be read while this process lives. */
  async #save(folder: string, health: Extract<StoreHealth, { writable: false }>): Promise<void> {
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
    if (this.#closing || !this.#reading) return Promise.reject(closed());
    return this.#reading.ask(name, ...values);
  }

  sessions = () => this.#read("sessions");
  storedSessions = () => this.#read("storedSessions");
  head = (session: string) => this.#read("head", session);
  progress = (session: string) => this.#read("progress", session);
  memories = (session: string) => this.#read("memories", session);
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

function closed(): StoreError {
  return new StoreError("closed", "The store is closed. It can no longer be read or written.");
}
