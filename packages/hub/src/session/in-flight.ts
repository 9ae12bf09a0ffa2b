/** The same thing asked for again while it is being done is the same thing. */
export class InFlight<T> {
  readonly #doing = new Map<string, Promise<T>>();

  do(id: string, work: () => Promise<T>): Promise<T> {
    const doing = this.#doing.get(id) ?? work().finally(() => this.#doing.delete(id));
    this.#doing.set(id, doing);
    return doing;
  }
}
