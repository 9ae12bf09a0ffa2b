import type { StoredFrame } from "./frames.ts";
import { MessageRing } from "./message-ring.ts";

/**
 * What is said to a relay that acknowledges nothing: it counts as arrived when it is sent, and the last of
 * it is said again after a reconnect. One that has said nothing itself may be a hub of ours whose first
 * word is late: until it is sure that it is none, nothing counts as arrived. One that has spoken plain
 * lines before is none, however silent it is after a reconnect.
 */
export class PlainExchange {
  readonly #ring = new MessageRing();
  #isSure = false;
  #hasSpoken = false;
  #pieces = "";
  #unsure: string[] = [];
  #last = 0;

  get lastUuid(): string | undefined {
    return this.#ring.lastUuid;
  }

  /** A connection begins: what is said first. */
  begin(): readonly string[] {
    this.#isSure = this.#hasSpoken;
    this.#pieces = "";
    this.#unsure = [];
    return this.#ring.messages;
  }

  /** The lines of a frame, once they are whole. */
  say({ lines, last, whole }: StoredFrame): readonly string[] {
    this.#pieces += lines;
    if (!whole) return [];
    const receivedLines = this.#pieces.split("\n");
    this.#pieces = "";
    this.#unsure.push(...receivedLines);
    this.#last = last;
    return receivedLines;
  }

  /** It has been silent for too long to be ours. */
  confirmPlain(): void {
    this.#isSure = true;
  }

  /** It speaks plain lines. */
  onPlainLine(): void {
    this.#hasSpoken = true;
    this.#isSure = true;
  }

  get isSure(): boolean {
    return this.#isSure;
  }

  /** The number up to which everything counts as arrived by now. */
  arrived(): number | undefined {
    if (!this.#isSure || this.#unsure.length === 0) return undefined;
    for (const line of this.#unsure) this.#ring.push(line);
    this.#unsure = [];
    return this.#last;
  }

  /** The agent was given this: what it answers need not be asked again. */
  rememberDelivered(line: string): void {
    this.#ring.rememberDelivered(line);
  }
}
