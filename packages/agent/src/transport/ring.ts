import { parseObject } from "@signalbox/protocol/wire";

interface Kept {
  readonly line: string;
  readonly id: string | undefined;
  sent: boolean;
}

/**
 * The last so many lines, kept until the other side says that it has them, so that they can be said
 * again after a reconnect.
 */
export class Ring {
  readonly #size: number;
  #kept: Kept[] = [];
  #lost = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get length(): number {
    return this.#kept.length;
  }

  #lastSent: string | undefined;
  #acknowledged: string | undefined;

  /** For `X-Last-Request-Id`: the newest line that the other side said it has, else that went out. */
  get lastId(): string | undefined {
    return this.#acknowledged ?? this.#lastSent;
  }

  push(line: string): Kept {
    const kept: Kept = { line, id: idOf(line), sent: false };
    this.#kept.push(kept);
    if (this.#kept.length > this.#size && this.#kept.shift()?.sent === false) this.#lost++;
    return kept;
  }

  markSent(kept: Kept): void {
    kept.sent = true;
    if (kept.id !== undefined) this.#lastSent = kept.id;
  }

  /** The other side has everything up to this id. `false`: no such line is here any more. */
  acknowledge(id: string): boolean {
    if (id === this.#acknowledged) return true;
    const at = this.#kept.findLastIndex((kept) => kept.id === id);
    if (at === -1) return false;
    this.#kept = this.#kept.slice(at + 1);
    this.#acknowledged = id;
    return true;
  }

  all(): readonly Kept[] {
    return this.#kept;
  }

  /** How many lines fell out before they ever went out, since this was last asked. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }
}

/** Messages have a `uuid`; requests and answers the id of the request. */
function idOf(line: string): string | undefined {
  const body = parseObject(line);
  if (typeof body === "string") return undefined;
  const response = body["response"] as { request_id?: unknown } | undefined;
  const id = body["uuid"] ?? body["request_id"] ?? response?.request_id;
  return typeof id === "string" ? id : undefined;
}
