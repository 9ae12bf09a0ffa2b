/**
 * Requests of a host that have no id, or one that is no text. They are answered all the same, without
 * an id or with theirs, as Claude Code does; meanwhile they have ids that we make.
 */
export class UnnamedRequests {
  readonly #made = new Map<string, unknown>();

  name(id: unknown): string {
    const made = crypto.randomUUID();
    this.#made.set(made, id);
    return made;
  }

  /** Our answer as the host can read it. */
  restore(line: string): string {
    if (this.#made.size === 0) return line;
    const made = /"request_id":"([^"]+)"/.exec(line)?.[1] ?? "";
    if (!this.#made.has(made)) return line;
    const id = JSON.stringify(this.#made.get(made)) as string | undefined;
    this.#made.delete(made);
    const field = `"request_id":"${made}",`;
    return line.replace(field, id === undefined ? "" : `"request_id":${id},`);
  }
}
