import { DatabaseRefused } from "./database-refused.ts";
import { Commits } from "./commits.ts";
import type { Place } from "./place.ts";
import { type Change, StoreFailed, type StoreHealth } from "./store.ts";
import { Thread } from "./thread.ts";
import { unwritable } from "./trouble.ts";
import type { FromWriter, ToWriter } from "./writer-worker.ts";

/** The hub's side of the thread that writes. */
export class Writing {
  readonly #folder: string;
  readonly #setHealth: (health: StoreHealth) => void;
  readonly #thread: Thread<ToWriter, FromWriter>;
  readonly #commits = new Commits((cells) => this.#thread.send(cells));
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #health: StoreHealth = { writable: true };

  constructor(
    { folder, retryMs, auditKey }: Pick<Place, "folder" | "retryMs" | "auditKey">,
    setHealth: (health: StoreHealth) => void,
  ) {
    this.#folder = folder;
    this.#setHealth = setHealth;
    this.#thread = new Thread(
      "writer-worker",
      (message) => this.#hear(message),
      (why) => this.#died(why),
    );
    this.#thread.send({ open: folder, retryMs, auditKey });
  }

  /** Rejects when the database is not ours to open. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  signAudit(privateKey: string): void {
    this.#thread.send({ signAudit: privateKey });
  }

  commit(changes: readonly Change[]): Promise<void> {
    const health = this.#health;
    if (!health.writable) return Promise.reject(new StoreFailed(health.why, health.detail));
    return this.#commits.add(changes);
  }

  async close(): Promise<void> {
    // An empty commit is settled when all before it are.
    await this.commit([]).catch(() => {});
    this.#thread.send({ close: true });
    await this.#closed.promise;
    this.end();
  }

  end(): void {
    this.#thread.end();
  }

  #hear(message: FromWriter): void {
    if ("written" in message) this.#settle(message.written);
    else if ("health" in message) this.#hearHealth(message.health);
    else if ("opened" in message) this.#opened.resolve();
    else if ("refused" in message) this.#opened.reject(new DatabaseRefused(message.refused));
    else this.#closed.resolve();
  }

  #settle(written: Extract<FromWriter, { written: unknown }>["written"]): void {
    if (written !== "none") this.#commits.settle(written);
  }

  #hearHealth(health: StoreHealth): void {
    this.#change(health);
    if (!health.writable) this.#thread.send({ seen: true });
  }

  /** The writer tells its trouble before what it did not write, which therefore waits no longer. */
  #change(health: StoreHealth): void {
    this.#health = health;
    if (!health.writable) this.#commits.fail(new StoreFailed(health.why, health.detail));
    this.#setHealth(health);
  }

  #died(why: string): void {
    const said = `the thread that writes has ended: ${why}`;
    this.#change(unwritable("io-error", this.#folder, said));
    this.#opened.reject(new Error(said));
    this.#closed.resolve();
  }
}
