/** The calls that a server works on, and what it has people asked meanwhile. */
export class ActiveCalls {
  #calls = 0;
  readonly #questions = new Set<AbortController>();

  /** Somebody is being asked: until they answer nothing is late. */
  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await work();
    } finally {
      this.#calls--;
      // Nobody waits for what the answers are for.
      if (this.#calls === 0) for (const question of this.#questions) question.abort();
    }
  }

  async asking<T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#calls === 0) return ask(signal);
    const question = new AbortController();
    this.#questions.add(question);
    try {
      return await ask(AbortSignal.any([signal, question.signal]));
    } finally {
      this.#questions.delete(question);
    }
  }
}
