/** The same thing asked for again while it is being done is the same thing. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  run(id: string, work: () => Promise<T>): Promise<T> {
    const doing = this.#running.get(id) ?? work().finally(() => this.#running.delete(id));
    this.#running.set(id, doing);
    return doing;
  }
}
