/**
 * Requests of a host without an id, with an id that is not a string, or with an id that was used
 * before. Like Claude Code, the kit handles them and answers with the id as it came, or without
 * one. Inside they have generated ids.
 */
export class UnnamedRequests {
  readonly #made = new Map<string, unknown>();
  readonly #used = new Set<string>();
  readonly #mayRepeat: boolean;

  /** `mayRepeat`: the connection may deliver a line twice, so a used id means a repeated line. */
  constructor(mayRepeat = false) {
    this.#mayRepeat = mayRepeat;
  }

  name(id: unknown): string {
    if (typeof id === "string" && (this.#mayRepeat || !this.#used.has(id))) {
      this.#used.add(id);
      return id;
    }
    const made = crypto.randomUUID();
    this.#made.set(made, id);
    return made;
  }

  /** Restores the host's own id in our answer. */
  restore(line: string): string {
    if (this.#made.size === 0) return line;
    const made = /"request_id":"([^"]+)"/.exec(line)?.[1] ?? "";
    if (!this.#made.has(made)) return line;
    const id = JSON.stringify(this.#made.get(made)) as string | undefined;
    this.#made.delete(made);
    const field = `"request_id":"${made}",`;
    return line.replace(field, () => (id === undefined ? "" : `"request_id":${id},`));
  }
}
