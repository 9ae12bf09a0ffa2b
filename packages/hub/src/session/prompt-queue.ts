import { HubRefusal } from "../refusal.ts";
import type { PromptRow } from "../store/store.ts";
import { composeText } from "./prompt-context.ts";

/**
 * How many bytes may be under way to an agent that does not read them. One message of any size may be; the
 * rest waits in the store.
 */
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024;

/** How many messages may wait for one session's agent. */
const MAX_WAITING = 1000;

/** The messages of a session that its agent has not confirmed, in order. Each is a stored row. */
export class SessionPromptQueue {
  #rows: PromptRow[] = [];
  /** The messages whose rows are being written; they are not changed by anything else meanwhile. */
  readonly #locked = new Map<string, "sending" | "leaving">();

  get rows(): readonly PromptRow[] {
    return this.#rows;
  }
  get nextPlace(): number {
    return (this.#rows.at(-1)?.place ?? 0) + 1;
  }
  get hasWaiting(): boolean {
    return this.#rows.some(({ sentTo: listSentTo }) => listSentTo === null);
  }

  get(id: string): PromptRow | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  /** Refuses another message when the queue is full. Call this before accepting one. */
  requireCapacity(): void {
    if (this.#rows.length < MAX_WAITING) return;
    throw new HubRefusal(
      409,
      "too-many-prompts",
      `${MAX_WAITING} messages are already waiting for this agent. Withdraw some, or try again when it has received them.`,
    );
  }

  put(row: PromptRow): void {
    this.#rows = [...this.#rows.filter(({ id }) => id !== row.id), row];
    this.#rows.sort((a, b) => a.place - b.place);
  }

  remove(id: string): void {
    this.#rows = this.#rows.filter((row) => row.id !== id);
    this.#locked.delete(id);
  }

  lock(id: string, why: "sending" | "leaving"): void {
    this.#locked.set(id, why);
  }
  unlock(id: string): void {
    this.#locked.delete(id);
  }

  /** The messages that a run was given and has not confirmed. */
  sentTo(run: string | null): PromptRow[] {
    return this.#rows.filter(({ sentTo }) => sentTo !== null && sentTo === run);
  }

  /**
   * The messages to send now: all that are marked to go at once, and the first of the others if the agent is
   * idle.
   */
  listDue(run: string, idle: boolean): PromptRow[] {
    const requireWaiting = this.#rows.filter(
      ({ id, sentTo }) => sentTo === null && !this.#locked.has(id),
    );
    const sending = [...this.#locked.values()].includes("sending") || this.sentTo(run).length > 0;
    const [first] = requireWaiting;
    const due = requireWaiting.filter((row) => row.now || (idle && !sending && row === first));
    if (due.length === 0) return due;
    let underWay = this.#rows
      .filter(({ id, sentTo }) => sentTo === run || this.#locked.get(id) === "sending")
      .reduce((sum, row) => sum + countBytes(row), 0);
    const tooMuch = due.findIndex((row) => {
      const before = underWay;
      underWay += countBytes(row);
      return before > 0 && underWay > MAX_BYTES_IN_FLIGHT;
    });
    return tooMuch < 0 ? due : due.slice(0, tooMuch);
  }

  requireWaiting(id: string): PromptRow {
    const row = this.get(id);
    if (!row || this.#locked.get(id) === "leaving") {
      const detail =
        "This message is not waiting. The agent has already received it, or it was withdrawn.";
      throw new HubRefusal(404, "no-such-prompt", detail);
    }
    if (row.sentTo === null && !this.#locked.has(id)) return row;
    throw new HubRefusal(409, "already-sent", "The agent has already received this message.");
  }

  /** The changed rows when a message moves to another place among those that wait. */
  reorder(id: string, place: number): PromptRow[] {
    const row = this.requireWaiting(id);
    const others = this.#rows.filter(
      (other) => other.sentTo === null && other.id !== id && !this.#locked.has(other.id),
    );
    const at = Math.max(0, Math.min(place, others.length));
    const order = [...others.slice(0, at), row, ...others.slice(at)];
    const places = order.map((each) => each.place).toSorted((a, b) => a - b);
    return order.map((each, index) => ({ ...each, place: places[index] ?? each.place }));
  }
}

/** Sizes are cached, because every line of the agent asks which messages are due. */
const byteCounts = new WeakMap<PromptRow, number>();

/** The size of a message on the link: its text with its context, and its images in base64. */
function countBytes(row: PromptRow): number {
  const known = byteCounts.get(row);
  if (known !== undefined) return known;
  const pictures = JSON.parse(row.images) as readonly { readonly bytes?: number }[];
  const encoded = pictures.map(({ bytes = 0 }) => Math.ceil(bytes / 3) * 4);
  const all = encoded.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(composeText(row)));
  byteCounts.set(row, all);
  return all;
}
