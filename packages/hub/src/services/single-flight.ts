/** Runs one operation per key at a time. A caller that asks for a running operation gets its result. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  run(id: string, work: () => Promise<T>): Promise<T> {
    const doing = this.#running.get(id) ?? work().finally(() => this.#running.delete(id));
    this.#running.set(id, doing);
    return doing;
  }
}
