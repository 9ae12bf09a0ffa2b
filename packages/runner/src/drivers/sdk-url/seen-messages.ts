import { isObject, parseObject } from "@signalbox/protocol";

/** More than an agent keeps to say again: 1,000, up to 2.1.120. */
const KEPT = 5000;

/** Tells what an agent says again after a reconnect from what it says for the first time. */
export class SeenMessages {
  readonly #seen = new Set<string>();
  /** The uuid of the last message: an agent that hears it says only again what came after. */
  lastUuid: string | undefined;

  isNew(line: string): boolean {
    const { key, uuid } = identityOf(line);
    if (uuid !== undefined) this.lastUuid = uuid;
    if (key === undefined) return true;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    const [oldest = ""] = this.#seen;
    if (this.#seen.size > KEPT) this.#seen.delete(oldest);
    return true;
  }
}

function identityOf(line: string): { key?: string; uuid?: string } {
  const body = parseObject(line);
  if (typeof body === "string") return {};
  const { type, uuid, request_id: asked, response } = body;
  if (typeof uuid === "string") return { key: uuid, uuid };
  if (type === "control_request" && typeof asked === "string") return { key: `asked ${asked}` };
  const answered = isObject(response) ? response["request_id"] : undefined;
  return typeof answered === "string" ? { key: `answered ${answered}` } : {};
}
