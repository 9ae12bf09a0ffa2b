/** Writes to both output streams. While a question is open, other output waits. */
export class Screen {
  #deferred: (() => void)[] | undefined;
  #free: Promise<unknown> = Promise.resolve();

  /** Whether both streams are on the same terminal. */
  readonly sharesScreen = process.stdout.isTTY && process.stderr.isTTY;

  readonly answer = (text: string): void => this.#write(() => process.stdout.write(text));
  readonly note = (text: string): void => this.#write(() => process.stderr.write(text));

  /** Whether a question has the terminal. */
  get isExclusive(): boolean {
    return this.#deferred !== undefined;
  }

  /** Runs one question at a time. Its `print` writes at once, while other output waits. */
  runExclusive<T>(work: (print: (text: string) => void) => Promise<T>): Promise<T> {
    const done = this.#free.then(async () => {
      this.#deferred = [];
      try {
        return await work((text) => process.stderr.write(`${text}\n`));
      } finally {
        const deferredCalls = this.#deferred;
        this.#deferred = undefined;
        for (const put of deferredCalls) put();
      }
    });
    this.#free = done.catch(() => {}); // the caller gets the error
    return done;
  }

  #write(write: () => void): void {
    if (this.#deferred) this.#deferred.push(write);
    else write();
  }
}
