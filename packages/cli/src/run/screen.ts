/** Where a run is shown. While a person is asked something, whatever else happens waits. */
export class Screen {
  #held: (() => void)[] | undefined;
  #free: Promise<unknown> = Promise.resolve();

  /** Both streams end up before the same eyes. */
  readonly oneScreen = process.stdout.isTTY && process.stderr.isTTY;

  readonly answer = (text: string): void => this.#put(() => process.stdout.write(text));
  readonly note = (text: string): void => this.#put(() => process.stderr.write(text));

  /** Whether a question has the terminal. */
  get isTaken(): boolean {
    return this.#held !== undefined;
  }

  /** Gives the terminal to one question after the other; `print` goes past what waits. */
  alone<T>(work: (print: (text: string) => void) => Promise<T>): Promise<T> {
    const done = this.#free.then(async () => {
      this.#held = [];
      try {
        return await work((text) => process.stderr.write(`${text}\n`));
      } finally {
        const held = this.#held;
        this.#held = undefined;
        for (const put of held) put();
      }
    });
    this.#free = done.catch(() => {}); // its caller is told
    return done;
  }

  #put(write: () => void): void {
    if (this.#held) this.#held.push(write);
    else write();
  }
}
