import { DatabaseRefusedError } from "./database-refused.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { StoreLocation } from "./store-location.ts";
import { type Change, StoreError, type StoreHealth } from "./store.ts";
import { WorkerThread } from "./worker-thread.ts";
import { createUnwritableHealth } from "./trouble.ts";
import type { FromWriter, ToWriter } from "./writer-worker.ts";

/** The hub's side of the writing thread. */
export class WriterClient {
  readonly #folder: string;
  readonly #setHealth: (health: StoreHealth) => void;
  readonly #thread: WorkerThread<ToWriter, FromWriter>;
  readonly #commits = new CommitQueue((cells) => this.#thread.send(cells));
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #health: StoreHealth = { writable: true };

  constructor(
    { folder, retryMs, auditKey }: Pick<StoreLocation, "folder" | "retryMs" | "auditKey">,
    setHealth: (health: StoreHealth) => void,
  ) {
    this.#folder = folder;
    this.#setHealth = setHealth;
    this.#thread = new WorkerThread(
      import.meta.url,
      "writer-worker",
      (message) => this.#onMessage(message),
      (why) => this.#onDeath(why),
    );
    this.#thread.send({ open: folder, retryMs, auditKey });
  }

  /** Rejects if this hub must not open the database. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  signAudit(privateKey: string): void {
    this.#thread.send({ signAudit: privateKey });
  }

  commit(changes: readonly Change[]): Promise<void> {
    const health = this.#health;
    if (!health.writable) return Promise.reject(new StoreError(health.why, health.detail));
    return this.#commits.add(changes);
  }

  async close(): Promise<void> {
    // An empty commit is settled when all earlier commits are.
    await this.commit([]).catch(() => {});
    this.#thread.send({ close: true });
    await this.#closed.promise;
    this.end();
  }

  end(): void {
    this.#thread.end();
  }

  #onMessage(message: FromWriter): void {
    if ("written" in message) this.#settle(message.written);
    else if ("health" in message) this.#hearHealth(message.health);
    else if ("opened" in message) this.#opened.resolve();
    else if ("refused" in message) this.#opened.reject(new DatabaseRefusedError(message.refused));
    else this.#closed.resolve();
  }

  #settle(written: Extract<FromWriter, { written: unknown }>["written"]): void {
    if (written !== "none") this.#commits.settle(written);
  }

  #hearHealth(health: StoreHealth): void {
    this.#change(health);
    if (!health.writable) this.#thread.send({ seen: true });
  }

  /**
   * The writer reports its trouble before the commits that it did not write, which are then
   * rejected.
   */
  #change(health: StoreHealth): void {
    this.#health = health;
    if (!health.writable) this.#commits.fail(new StoreError(health.why, health.detail));
    this.#setHealth(health);
  }

  #onDeath(why: string): void {
    const explanation = `the writing thread has ended: ${why}`;
    this.#change(createUnwritableHealth("io-error", this.#folder, explanation));
    this.#opened.reject(new Error(explanation));
    this.#closed.resolve();
  }
}
