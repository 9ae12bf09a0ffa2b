/** An agent has nothing to say then, but what it repeats after a break: a thousand messages at most. */
const MAX_LINES = 1000;
/** UTF-16 units. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Lines of an agent of which it is not known yet where they belong. */
export class EarlyLines {
  #lines: string[] = [];
  #units = 0;

  /** False: there is no room for it. */
  add(line: string): boolean {
    if (this.#lines.length === MAX_LINES || this.#units + line.length > MAX_CHARACTERS)
      return false;
    this.#lines.push(line);
    this.#units += line.length;
    return true;
  }

  takeAll(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#units = 0;
    return lines;
  }
}
