/**
 * At this point an agent sends only what it repeats after an interruption: at most a thousand
 * messages.
 */
const MAX_LINES = 1000;
/** UTF-16 units. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Keeps the lines of an agent while it is not known to which session they belong. */
export class EarlyLines {
  #lines: string[] = [];
  #units = 0;

  /** False: there is no room for the line. */
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
