/** Where a run is shown. While a person is asked something, whatever else happens waits. */
export class Screen {
  #deferred: (() => void)[] | undefined;
  #free: Promise<unknown> = Promise.resolve();

  /** Both streams end up before the same eyes. */
  readonly sharesScreen = process.stdout.isTTY && process.stderr.isTTY;

  readonly answer = (text: string): void => this.#write(() => process.stdout.write(text));
  readonly note = (text: string): void => this.#write(() => process.stderr.write(text));

  /** Whether a question has the terminal. */
  get isExclusive(): boolean {
    return this.#deferred !== undefined;
  }

  /** Gives the terminal to one question after the other; `print` goes past what waits. */
  runExclusive<T>(work: (print: (text: string) => void) => Promise<T>): Promise<T> {
    const done = this.#free.then(async () => {
      this.#deferred = [];
      try {
        return await work((text) => process.stderr.write(`${text}\n`));
      } finally {
        const held = this.#deferred;
        this.#deferred = undefined;
        for (const put of held) put();
      }
    });
    this.#free = done.catch(() => {}); // its caller is told
    return done;
  }

  #write(write: () => void): void {
    if (this.#deferred) this.#deferred.push(write);
    else write();
  }
}
