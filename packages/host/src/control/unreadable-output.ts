import type { Decoded } from "@signalbox/protocol";

const ENOUGH = 100;
const SHOWN = 120;

/**
 * Watches an agent that has not sent a protocol message yet, and gives up if it only prints other
 * text.
 */
export class UnreadableOutput {
  /** After the agent has answered, other output does not matter. */
  hasAnswered = false;
  readonly #over = new AbortController();
  #first: string | undefined;
  #count = 0;

  /** Aborted when the agent has printed too much that is not a message. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get first(): string | undefined {
    return this.#first;
  }

  onLine(line: Decoded): void {
    if (line.kind !== "noise") return;
    this.#first ??= line.raw.slice(0, SHOWN);
    if (++this.#count >= ENOUGH) this.#over.abort();
  }
}
