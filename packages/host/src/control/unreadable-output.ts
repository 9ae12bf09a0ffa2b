import type { Decoded } from "@signalbox/protocol";

const ENOUGH = 100;
const SHOWN = 120;

/** Listens to an agent that has not said a word of the protocol, and gives up on one that only babbles. */
export class UnreadableOutput {
  /** The agent has answered: whatever else it prints is its own affair. */
  hasAnswered = false;
  readonly #over = new AbortController();
  #first: string | undefined;
  #count = 0;

  /** Aborts when enough was said that means nothing. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get first(): string | undefined {
    return this.#first;
  }

  hear(line: Decoded): void {
    if (line.kind !== "noise") return;
    this.#first ??= line.raw.slice(0, SHOWN);
    if (++this.#count >= ENOUGH) this.#over.abort();
  }
}
