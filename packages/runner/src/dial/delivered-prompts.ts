import { parseObject } from "@signalbox/protocol";

const KEPT = 1000;
const PROMPT = '{"type":"user"';

/**
 * The messages that an agent has been given. A hub that was killed before it had stored that it gave one
 * gives it again, under the next number and with the same uuid.
 */
export class DeliveredPrompts {
  readonly #uuids = new Set<string>();

  isNew(line: string): boolean {
    const body = line.startsWith(PROMPT) ? parseObject(line) : "";
    const uuid = typeof body === "string" ? undefined : body["uuid"];
    if (typeof uuid !== "string") return true;
    if (this.#uuids.has(uuid)) return false;
    this.#uuids.add(uuid);
    const [oldest = ""] = this.#uuids;
    if (this.#uuids.size > KEPT) this.#uuids.delete(oldest);
    return true;
  }
}
