import { type Decoded, type JsonObject, type Message, quickDelta } from "@signalbox/protocol";
import type { Arrival } from "./conversation.ts";

interface Delta {
  readonly type: string;
  text?: string;
  thinking?: string;
}

/**
 * Words of one text that arrive one behind the other. They are understood in one step, as if the agent had
 * written them at once: of words that are not stored by themselves, nothing but their sum counts.
 */
export class Words {
  #first: Arrival | undefined;
  #message: JsonObject = {};
  #delta: Delta = { type: "" };
  #index: unknown;

  /** Whether the line holds words, and they go on where the last ones ended, or are the first. */
  take(arrival: Arrival): boolean {
    const { from, line } = arrival;
    const message = from === "agent" && typeof line === "string" ? quickDelta(line) : undefined;
    if (!message) return false;
    const { index, delta } = message["event"] as { index: number; delta: Delta };
    if (!this.#first) {
      this.#first = arrival;
      this.#message = message;
      this.#delta = delta;
      this.#index = index;
      return true;
    }
    if (index !== this.#index || delta.type !== this.#delta.type) return false;
    if (delta.text !== undefined) this.#delta.text += delta.text;
    else this.#delta.thinking += delta.thinking ?? "";
    return true;
  }

  /** All of them as one line, if there are any. */
  give(): { arrival: Arrival; decoded: Decoded } | undefined {
    const arrival = this.#first;
    this.#first = undefined;
    if (!arrival) return undefined;
    const raw = typeof arrival.line === "string" ? arrival.line : arrival.line.text;
    const message = this.#message as Message<"stream_event">;
    return { arrival, decoded: { kind: "known", message, raw } };
  }
}
