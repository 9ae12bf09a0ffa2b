import { lineText } from "@signalbox/protocol";
import type { ReceivedLine } from "../link/received-line.ts";

/** Receives each line of a session, in order. */
export type RawListener = (
  session: string,
  line: { from: ReceivedLine["from"]; text: string },
) => void;

interface RawLineQueue {
  /** All lines up to this number were queued or passed on. */
  taken: number;
  markStored: number;
  readonly waiting: ReceivedLine[];
}

/**
 * Passes the agents' lines on as they came, for clients that speak the agents' own protocol. A line is passed
 * on once it is stored. Deltas are never stored, so they are passed on at once unless a line before them
 * still waits.
 */
export class RawFeed {
  readonly #listeners = new Set<RawListener>();
  readonly #queues = new Map<string, RawLineQueue>();

  listen(listener: RawListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `known` is the last number that was known before these lines. */
  addLines(session: string, arrivals: readonly ReceivedLine[], known: number): void {
    if (this.#listeners.size === 0) {
      this.#queues.clear();
      return;
    }
    const queue = this.#queues.get(session) ?? { taken: known, markStored: known, waiting: [] };
    this.#queues.set(session, queue);
    for (const arrival of arrivals) {
      if (arrival.seq === null || arrival.seq <= queue.taken) continue;
      queue.taken = arrival.seq;
      queue.waiting.push(arrival);
    }
    this.#publish(session, queue);
  }

  markStored(session: string, seq: number): void {
    const queue = this.#queues.get(session);
    if (!queue) return;
    queue.markStored = Math.max(queue.markStored, seq);
    this.#publish(session, queue);
  }

  #publish(session: string, { waiting, markStored: stored }: RawLineQueue): void {
    let count = 0;
    for (const { seq, from, line } of waiting) {
      const text = lineText(line);
      if ((seq ?? 0) > stored && !text.startsWith('{"type":"stream_event"')) break;
      count += 1;
      for (const listener of this.#listeners) listener(session, { from, text });
    }
    waiting.splice(0, count);
  }
}
