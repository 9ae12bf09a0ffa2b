import { highlight } from "../code/highlight/highlighter.ts";
import type { Language } from "../code/highlight/languages.ts";
import type { TokenLine } from "../code/highlight/tokens.ts";

/** Lines that are highlighted together: a long change is colored as far as it is looked at. */
const CHUNK_LINES = 250;

/** Some lines of one side of a change. They are highlighted when one of them is shown. */
export class ColorChunk {
  readonly #lines: string[] = [];
  readonly #language: Language | undefined;
  readonly #listeners = new Set<() => void>();
  #colored: readonly TokenLine[] | undefined;
  #isRequested = false;

  constructor(language: Language | undefined) {
    this.#language = language;
  }

  get isFull(): boolean {
    return this.#lines.length >= CHUNK_LINES;
  }

  /** Adds a line and returns its place. */
  add(line: string): number {
    return this.#lines.push(line) - 1;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    void this.#request();
    return () => void this.#listeners.delete(listener);
  };

  readonly get = (): readonly TokenLine[] | undefined => this.#colored;

  async #request(): Promise<void> {
    if (this.#isRequested || !this.#language) return;
    this.#isRequested = true;
    this.#colored = await highlight(this.#lines.join("\n"), this.#language);
    for (const listener of this.#listeners) listener();
  }
}
