/**
 * Requests of a host that have no id, one that is no text, or one that another request had before. They
 * are carried out and answered all the same, without an id or with theirs, as Claude Code does;
 * meanwhile they have ids that we make.
 */
export class UnnamedRequests {
  readonly #made = new Map<string, unknown>();
  readonly #used = new Set<string>();
  readonly #mayRepeat: boolean;

  /** `mayRepeat`: what comes between us and the host may say a line twice, and an id that was used means that. */
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

  /** Our answer as the host can read it. */
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
