/** The running calls of a server, and the questions to people that they opened. */
export class ActiveCalls {
  #calls = 0;
  readonly #questions = new Set<AbortController>();

  /** Whether a person is being asked. Until they answer, no call times out. */
  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await work();
    } finally {
      this.#calls--;
      // The calls that needed the answers are over.
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
