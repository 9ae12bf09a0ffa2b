import { join } from "node:path";
import { DATABASE } from "../store/database.ts";
import { WorkerThread } from "../store/worker-thread.ts";
import type { SearchHits, SearchRequest } from "./run-query.ts";
import { SEARCH_DATABASE } from "./search-database.ts";
import type { FromSearch, ToSearch } from "./search-worker.ts";

/** Sessions that change all the time are indexed once in this period. */
const COLLECT_MS = 500;
/** Searches that wait for the thread. Whoever may look causes them. */
const MAX_WAITING = 100;

interface SearchIndexOptions {
  /** The data folder. */
  readonly folder: string;
  readonly epoch: string;
  readonly log: (text: string) => void;
}

/**
 * The hub's side of the search index: a database of its own, kept by a thread of its own, which reads the
 * store and can be made again from it at any time.
 */
export class SearchIndex implements AsyncDisposable {
  readonly #thread: WorkerThread<ToSearch, FromSearch>;
  readonly #log: (text: string) => void;
  readonly #requests = new Map<number, PromiseWithResolvers<SearchHits>>();
  readonly #changed = new Set<string>();
  readonly #closed = Promise.withResolvers<void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #pending = 0;

  constructor({ folder, epoch, log }: SearchIndexOptions) {
    this.#log = log;
    this.#thread = new WorkerThread(
      import.meta.url,
      "search-worker",
      (message) => this.#onMessage(message),
      (why) => this.#onDeath(why),
    );
    const files = { index: join(folder, SEARCH_DATABASE), store: join(folder, DATABASE) };
    this.#thread.send({ open: { ...files, epoch } });
  }

  /** So many sessions are not yet in the index completely. */
  get pending(): number {
    return this.#pending + this.#changed.size;
  }

  onSessionChanged(session: string): void {
    this.#changed.add(session);
    this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS);
  }

  onSessionDeleted(session: string): void {
    this.#changed.delete(session);
    this.#thread.send({ removed: session });
  }

  search(request: SearchRequest): Promise<SearchHits> {
    if (this.#requests.size >= MAX_WAITING) {
      return Promise.reject(new Error("Too many searches are waiting. Try again in a moment."));
    }
    this.#flush();
    const id = ++this.#count;
    const waiting = Promise.withResolvers<SearchHits>();
    this.#requests.set(id, waiting);
    this.#thread.send({ id, request });
    return waiting.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#thread.send({ close: true });
    await this.#closed.promise;
    this.#thread.end();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    this.#thread.send({ changed: [...this.#changed] });
    this.#pending += this.#changed.size; // until the thread has counted
    this.#changed.clear();
  }

  #onMessage(message: FromSearch): void {
    if ("pending" in message) this.#pending = message.pending;
    else if ("failed" in message) this.#log(`The search index failed: ${message.failed}`);
    else if ("closed" in message) this.#closed.resolve();
    else if ("id" in message) {
      const waiting = this.#requests.get(message.id);
      this.#requests.delete(message.id);
      if ("result" in message) waiting?.resolve(message.result);
      else waiting?.reject(new Error(`The search failed: ${message.failure}`));
    }
  }

  #onDeath(why: string): void {
    this.#log(`The thread that searches has ended: ${why}`);
    this.#closed.resolve();
    for (const waiting of this.#requests.values()) {
      waiting.reject(new Error(`The thread that searches has ended: ${why}`));
    }
    this.#requests.clear();
  }
}
