import { OrderError } from "./order-error.ts";

interface WorkQueueOptions {
  readonly maxRunning: number;
  /** What comes while so much waits is refused. */
  readonly maxWaiting?: number;
}

interface WaitingWork<T> {
  readonly work: () => Promise<T>;
  readonly result: PromiseWithResolvers<T>;
}

/** Runs work of which each may start programs, a few at a time. Equal work that has not begun is done once. */
export class WorkQueue<T> {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  /** In the order in which it came. */
  readonly #waiting = new Map<string, WaitingWork<T>>();
  #running = 0;

  constructor({ maxRunning, maxWaiting = Number.POSITIVE_INFINITY }: WorkQueueOptions) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** `key` says what the work is. Work that runs already may have read what has changed since, so it is not shared. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const equal = this.#waiting.get(key);
    if (equal) return equal.result.promise;
    if (this.#running >= this.#maxRunning && this.#waiting.size >= this.#maxWaiting) {
      const detail = "This machine has too many requests about its folders. Try again in a moment.";
      return Promise.reject(new OrderError("machine-busy", detail));
    }
    const result = Promise.withResolvers<T>();
    this.#waiting.set(key, { work, result });
    this.#startNext();
    return result.promise;
  }

  #startNext(): void {
    if (this.#running >= this.#maxRunning) return;
    const [next] = this.#waiting;
    if (!next) return;
    const [key, { work, result }] = next;
    this.#waiting.delete(key);
    this.#running += 1;
    const end = () => {
      this.#running -= 1;
      this.#startNext();
    };
    const done = work();
    done.then(end, end);
    result.resolve(done);
  }
}
