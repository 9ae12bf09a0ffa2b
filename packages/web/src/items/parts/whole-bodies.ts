import type { CutBody } from "@signalbox/api";

/** Whole texts of truncated bodies, by their hash. The texts that were used longest ago are forgotten first. */
export class WholeBodies {
  readonly #texts = new Map<string, string>();
  readonly #limit: number;
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(hash: string): string | undefined {
    const text = this.#texts.get(hash);
    if (text === undefined) return undefined;
    this.#texts.delete(hash);
    this.#texts.set(hash, text);
    return text;
  }

  set(hash: string, text: string): void {
    const before = this.#texts.get(hash);
    this.#texts.delete(hash);
    this.#texts.set(hash, text);
    this.#characters += text.length - (before?.length ?? 0);
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#limit || oldest === hash) break;
      this.#texts.delete(oldest);
      this.#characters -= length;
    }
  }

  /** Keeps a text under the hash of a truncated body if it is that body's text. Returns it if so. */
  keep({ $blob, head, tail, characters }: CutBody, text: string | undefined): string | undefined {
    if (text?.length !== characters || !text.startsWith(head) || !text.endsWith(tail))
      return undefined;
    this.set($blob, text);
    return text;
  }
}

const MAX_CHARACTERS = 24_000_000;

/** Shared by all sessions, so that a text that scrolls out of sight and back is not loaded twice. */
export const wholeBodies = new WholeBodies(MAX_CHARACTERS);
