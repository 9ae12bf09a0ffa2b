import type { GridSize } from "./terminal-size.ts";

/**
 * Whether this page decides the size of a terminal. The page in which a person types does, until another page
 * sets a size.
 */
export class SizeHolder {
  /** Sizes that this page has set and that have not come back yet. */
  readonly #requested: string[] = [];
  #isHolding = false;

  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Returns whether the size has to be sent. */
  request(size: GridSize, current: GridSize): boolean {
    this.#isHolding = true;
    if (describe(size) === (this.#requested.at(-1) ?? describe(current))) return false;
    this.#requested.push(describe(size));
    return true;
  }

  /** Notes the size that the terminal has now. One that this page did not ask for comes from another page. */
  changed(size: GridSize): void {
    const at = this.#requested.indexOf(describe(size));
    if (at === -1) this.#isHolding = false;
    else this.#requested.splice(0, at + 1);
  }
}

const describe = ({ cols, rows }: GridSize) => `${cols}x${rows}`;
