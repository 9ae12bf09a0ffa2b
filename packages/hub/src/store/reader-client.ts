import { DatabaseRefusedError } from "./database-refused.ts";
import type { Queries } from "./queries.ts";
import type { FromReader, ReadFailure, ToReader } from "./reader-worker.ts";
import { StoreError, type StoreTrouble } from "./store.ts";
import { WorkerThread } from "./worker-thread.ts";

interface PendingQuery {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** The hub's side of the reading thread. */
export class ReaderClient {
  readonly #thread: WorkerThread<ToReader, FromReader>;
  readonly #trouble: (why: StoreTrouble, explanation: string) => void;
  readonly #questions = new Map<number, PendingQuery>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #asked = 0;

  /** `live`: another connection may write the database meanwhile. */
  constructor(
    file: string,
    live: boolean,
    trouble: (why: StoreTrouble, explanation: string) => void,
  ) {
    this.#trouble = trouble;
    this.#thread = new WorkerThread(
      import.meta.url,
      "reader-worker",
      (message) => this.#onMessage(message),
      (why) => this.#onDeath(why),
    );
    this.#thread.send({ open: file, live });
  }

  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  ask<Name extends keyof Queries>(
    name: Name,
    ...values: Parameters<Queries[Name]>
  ): Promise<ReturnType<Queries[Name]>> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#questions.set(id, { resolve, reject });
      this.#thread.send({ id, name, values });
    });
  }

  async close(): Promise<void> {
    this.#thread.send({ close: true }); // answered after all earlier requests
    await this.#closed.promise;
    this.end();
  }

  end(): void {
    this.#thread.end();
  }

  #onMessage(message: FromReader): void {
    if ("id" in message) this.#answer(message);
    else if ("closed" in message) this.#closed.resolve();
    else if ("refused" in message) this.#opened.reject(new DatabaseRefusedError(message.refused));
    else {
      if (message.failure) this.#report(message.failure);
      this.#opened.resolve();
    }
  }

  #answer(message: Extract<FromReader, { id: number }>): void {
    const question = this.#questions.get(message.id);
    this.#questions.delete(message.id);
    if ("result" in message) return question?.resolve(message.result as never);
    const { failure } = message;
    this.#report(failure);
    const explanation = `The store could not be read: ${failure.message}.`;
    question?.reject(new StoreError(failure.trouble ?? "refused", explanation));
  }

  /**
   * A page that cannot be read now may be readable later; a page with invalid content is damaged
   * permanently.
   */
  #report({ trouble, message: explanation }: ReadFailure): void {
    if (trouble === "damaged") this.#trouble(trouble, explanation);
  }

  #onDeath(why: string): void {
    const explanation = `the reading thread has ended: ${why}`;
    this.#opened.reject(new Error(explanation));
    this.#closed.resolve();
    this.#trouble("io-error", explanation);
    for (const { reject } of this.#questions.values())
      reject(new StoreError("io-error", explanation));
    this.#questions.clear();
  }
}
