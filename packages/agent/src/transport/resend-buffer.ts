import { parseObject } from "@signalbox/protocol/wire";

export interface BufferedLine {
  readonly number: number;
  readonly line: string;
  readonly ids: Ids;
  /** Whether it was given to a socket at least once. It may or may not have arrived. */
  isWritten: boolean;
}

interface Ids {
  readonly uuid: string | undefined;
  /** The `uuid` of a message, or the id of the request for requests and answers. */
  readonly any: string | undefined;
}

/** How many lines were dropped from the buffer and are not known to have arrived. */
export interface BufferGap {
  readonly atLeast: number;
  readonly atMost: number;
}

/**
 * How far back the ids of dropped lines are remembered, in multiples of the buffer's size, for a
 * host that names such a line.
 */
const REMEMBERED_RINGS = 10;

/**
 * Stores the most recent lines until newer ones replace them, so that they can be sent again after
 * a reconnect. Lines are numbered from 1, and what is known to have arrived is a number, too.
 */
export class ResendBuffer {
  readonly #size: number;
  readonly #bufferedLines: BufferedLine[] = [];
  /** Dropped lines, by id. */
  readonly #droppedIds = new Map<string, number>();
  #last = 0;
  #arrived = 0;
  #arrivedUuid: string | undefined;
  #writtenUuid: string | undefined;
  /** How many of the dropped lines were never given to a socket. */
  #neverWritten = 0;

  constructor(size: number) {
    this.#size = Math.max(1, size);
  }

  /**
   * The id for `X-Last-Request-Id`: of the newest line that is known to have arrived, otherwise of
   * the newest that was sent.
   */
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
    const buffered: BufferedLine = {
      number: ++this.#last,
      line,
      ids: getIds(line),
      isWritten: false,
    };
    this.#bufferedLines.push(buffered);
    if (this.#bufferedLines.length > this.#size) this.#drop(this.#bufferedLines.shift()!);
    return buffered;
  }

  #drop({ number, ids, isWritten }: BufferedLine): void {
    if (!isWritten) this.#neverWritten++;
    if (ids.any === undefined) return;
    this.#droppedIds.set(ids.any, number);
    if (this.#droppedIds.size <= this.#size * REMEMBERED_RINGS) return;
    for (const oldest of this.#droppedIds.keys()) return void this.#droppedIds.delete(oldest);
  }

  markWritten(buffered: BufferedLine): void {
    buffered.isWritten = true;
    this.#writtenUuid = buffered.ids.uuid ?? this.#writtenUuid;
  }

  /** Records that everything up to this number has arrived. */
  confirm(number: number): void {
    if (number > this.#arrived && number <= this.#last) this.#arrive(number);
  }

  /**
   * Records that the host has everything up to the line with this id. Returns `false` if no line
   * with this id is known.
   */
  hostHas(id: string): boolean {
    const number =
      this.#bufferedLines.findLast(({ ids }) => ids.any === id)?.number ?? this.#droppedIds.get(id);
    if (number === undefined) return false;
    this.#arrive(number);
    // The host does not have them, whether they were written or not.
    this.#neverWritten = this.gap.atMost;
    return true;
  }

  #arrive(number: number): void {
    this.#arrived = number;
    if (this.gap.atMost === 0) this.#neverWritten = 0;
    const known = this.#bufferedLines.findLast(
      (buffered) => buffered.number <= number && buffered.ids.uuid,
    );
    this.#arrivedUuid = known?.ids.uuid ?? this.#arrivedUuid;
  }

  /** Whether lines were dropped, whether or not they had arrived. */
  get hasForgotten(): boolean {
    return this.#last > this.#bufferedLines.length;
  }

  get gap(): BufferGap {
    const forgotten = this.#last - this.#bufferedLines.length;
    return { atLeast: this.#neverWritten, atMost: Math.max(0, forgotten - this.#arrived) };
  }

  all(): readonly BufferedLine[] {
    return this.#bufferedLines;
  }

  /** The stored lines that are not known to have arrived, oldest first. */
  waiting(): readonly BufferedLine[] {
    return this.#bufferedLines.filter(({ number }) => number > this.#arrived);
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
