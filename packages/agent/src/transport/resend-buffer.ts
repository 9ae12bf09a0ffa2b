import { parseObject } from "@signalbox/protocol/wire";

export interface BufferedLine {
  readonly number: number;
  readonly line: string;
  readonly ids: Ids;
  /** Given to a socket at least once: it may have arrived, and it may not. */
  isWritten: boolean;
}

interface Ids {
  readonly uuid: string | undefined;
  /** Messages have a `uuid`; requests and answers the id of the request. */
  readonly any: string | undefined;
}

/** How many lines fell out of the ring and are not known to have arrived. */
export interface BufferGap {
  readonly atLeast: number;
  readonly atMost: number;
}

/** For a host that names a line which the ring no longer has: how far back ids are known, in rings. */
const REMEMBERED_RINGS = 10;

/**
 * The last so many lines, kept until newer ones take their place, so that they can be said again after
 * a reconnect. Lines are numbered from 1; what is known to have arrived is a number, too.
 */
export class ResendBuffer {
  readonly #size: number;
  readonly #kept: BufferedLine[] = [];
  /** Lines that fell out, by id. */
  readonly #gone = new Map<string, number>();
  #last = 0;
  #arrived = 0;
  #arrivedUuid: string | undefined;
  #writtenUuid: string | undefined;
  /** Of those that fell out, how many were never given to a socket. */
  #neverWritten = 0;

  constructor(size: number) {
    this.#size = Math.max(1, size);
  }

  /** For `X-Last-Request-Id`: the newest line that is known to have arrived, else that went out. */
  get lastUuid(): string | undefined {
    return this.#arrivedUuid ?? this.#writtenUuid;
  }

  /** The number of the newest line. */
  get last(): number {
    return this.#last;
  }

  /** How many lines are not known to have arrived. */
  get open(): number {
    return this.#last - this.#arrived;
  }

  get isFull(): boolean {
    return this.open >= this.#size;
  }

  push(line: string): BufferedLine {
    const kept: BufferedLine = { number: ++this.#last, line, ids: getIds(line), isWritten: false };
    this.#kept.push(kept);
    if (this.#kept.length > this.#size) this.#drop(this.#kept.shift()!);
    return kept;
  }

  #drop({ number, ids, isWritten }: BufferedLine): void {
    if (!isWritten) this.#neverWritten++;
    if (ids.any === undefined) return;
    this.#gone.set(ids.any, number);
    if (this.#gone.size <= this.#size * REMEMBERED_RINGS) return;
    for (const oldest of this.#gone.keys()) return void this.#gone.delete(oldest);
  }

  markWritten(kept: BufferedLine): void {
    kept.isWritten = true;
    this.#writtenUuid = kept.ids.uuid ?? this.#writtenUuid;
  }

  /** Everything up to this number has arrived. */
  confirm(number: number): void {
    if (number > this.#arrived && number <= this.#last) this.#arrive(number);
  }

  /** The host's own word: it has everything up to the line of this id. `false`: no line of ours is known by it. */
  hostHas(id: string): boolean {
    const number = this.#kept.findLast(({ ids }) => ids.any === id)?.number ?? this.#gone.get(id);
    if (number === undefined) return false;
    this.#arrive(number);
    this.#neverWritten = this.hole.atMost; // it has not got them, written or not
    return true;
  }

  #arrive(number: number): void {
    this.#arrived = number;
    if (this.hole.atMost === 0) this.#neverWritten = 0;
    const known = this.#kept.findLast((kept) => kept.number <= number && kept.ids.uuid);
    this.#arrivedUuid = known?.ids.uuid ?? this.#arrivedUuid;
  }

  /** Whether lines have fallen out, arrived or not. */
  get hasForgotten(): boolean {
    return this.#last > this.#kept.length;
  }

  get hole(): BufferGap {
    const forgotten = this.#last - this.#kept.length;
    return { atLeast: this.#neverWritten, atMost: Math.max(0, forgotten - this.#arrived) };
  }

  all(): readonly BufferedLine[] {
    return this.#kept;
  }

  /** What is kept and not known to have arrived, the oldest first. */
  waiting(): readonly BufferedLine[] {
    return this.#kept.filter(({ number }) => number > this.#arrived);
  }
}

function getIds(line: string): Ids {
  const body = parseObject(line);
  if (typeof body === "string") return { uuid: undefined, any: undefined };
  const response = body["response"] as { request_id?: unknown } | undefined;
  const text = (id: unknown) => (typeof id === "string" ? id : undefined);
  const uuid = text(body["uuid"]);
  return { uuid, any: uuid ?? text(body["request_id"]) ?? text(response?.request_id) };
}
