import { type Line, lineText, formatLogMarker } from "@signalbox/protocol";
import { CHUNK, formatFrame, type LineSource } from "@signalbox/api/link";
import { createChunkFrames, needsChunks, type LineFrame, FrameBuilder } from "./line-frames.ts";
import type { UndeliveredSession } from "./read-undelivered.ts";
import { type DiskLocation, DiskBuffer } from "./disk-buffer.ts";

export interface BufferLimits {
  /** The most characters of a session to keep in memory. More are written to the disk. */
  readonly memory: number;
  /** The number of undelivered characters at which reading from the agent pauses. */
  readonly waiting: number;
  /** The most characters that may be on their way to the hub. */
  readonly window: number;
}
export const defaultLimits: BufferLimits = { memory: 16 << 20, waiting: 1 << 30, window: 8 << 20 };

interface Entry extends Omit<LineFrame, "text"> {
  readonly size: number;
  /** The hub has received this piece of a long line, so it is no longer in flight. */
  acknowledged: boolean;
  /** Undefined if the frame is on the disk. */
  text: string | undefined;
  place: DiskLocation | undefined;
}

/**
 * The lines of one session that the hub has not acknowledged, as frames that are ready to be sent. Older frames
 * may be on the disk and newer ones in memory, never the other way around, so that a crash of this process
 * only loses the end and leaves no gap.
 */
export class SessionBuffer {
  readonly session: string;
  readonly #limits: BufferLimits;
  readonly #disk: DiskBuffer;
  readonly #entries: Entry[] = [];
  #next: number;
  #open: FrameBuilder | undefined;
  /** The number of entries at the beginning that are on the disk. */
  #onDisk = 0;
  /** The number of entries that were sent on this connection. */
  #sent = 0;
  #inFlight = 0;
  #inMemory = 0;
  #waiting = 0;
  #diskRefuses = false;
  #wake: (() => void)[] = [];

  constructor(
    disk: DiskBuffer,
    session: string,
    after: number,
    limits: BufferLimits = defaultLimits,
  ) {
    this.session = session;
    this.#limits = limits;
    this.#disk = disk;
    this.#next = after + 1;
  }

  /** Creates the buffer for lines that an earlier runner left on the disk. */
  static fromDisk(folder: string, found: UndeliveredSession, limits?: BufferLimits): SessionBuffer {
    const { session, run, frames, nextNumber } = found;
    const disk = new DiskBuffer(folder, session, nextNumber);
    const buffer = new SessionBuffer(disk, session, frames.at(-1)?.record.last ?? 0, limits);
    for (const { record, place } of frames) {
      const { text, ...facts } = record;
      buffer.#entries.push({
        ...facts,
        run,
        size: text.length,
        acknowledged: false,
        text: undefined,
        place,
      });
      buffer.#waiting += text.length;
    }
    buffer.#onDisk = frames.length;
    return buffer;
  }

  /** The number of the oldest undelivered line. */
  get first(): number | undefined {
    return this.#entries[0]?.first ?? this.#open?.first;
  }

  /** The number of the next line. */
  get next(): number {
    return this.#next;
  }

  /** The run of the oldest undelivered line. */
  get run(): string | undefined {
    return this.#entries[0]?.run ?? this.#open?.run;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#open === undefined;
  }

  /** Whether there are complete frames that were not sent. */
  get hasUnsentFrames(): boolean {
    return this.#sent < this.#entries.length;
  }

  get hasUnsent(): boolean {
    return this.hasUnsentFrames || this.#open !== undefined;
  }

  /** Skips the numbers of lines that the hub already has from earlier runs of this session. */
  skipTo(after: number): void {
    this.#next = Math.max(this.#next, after + 1);
  }

  /** Numbers a line and adds it. */
  add(run: string, from: LineSource, at: number, line: Line, ends = false): void {
    const text = lineText(line);
    const flaws = typeof line === "string" ? undefined : line.flaws;
    const seq = this.#next++;
    if (needsChunks(text, flaws)) {
      this.seal();
      const facts = { session: this.session, run, from, at };
      for (const frame of createChunkFrames(facts, seq, text, flaws)) {
        this.#push(frame);
        if (this.#inMemory > this.#limits.memory) this.spill();
      }
    } else {
      if (this.#open && (this.#open.run !== run || this.#open.characters + text.length > CHUNK)) {
        this.seal();
      }
      this.#open ??= new FrameBuilder(this.session, run, seq);
      this.#open.add(from, at, text, flaws, ends);
    }
    if (this.#inMemory + (this.#open?.characters ?? 0) > this.#limits.memory) this.spill();
  }

  /** Turns the collected lines into a frame. */
  seal(): void {
    if (!this.#open) return;
    const frame = this.#open.build();
    this.#open = undefined;
    this.#push(frame);
  }

  #push({ text, ...facts }: LineFrame): void {
    this.#entries.push({
      ...facts,
      size: text.length,
      acknowledged: false,
      text,
      place: undefined,
    });
    this.#inMemory += text.length;
    this.#waiting += text.length;
  }

  /** The next frame to send; undefined if there is none or enough is in flight. */
  takeFrame(): string | undefined {
    const entry = this.#entries[this.#sent];
    if (!entry) return undefined;
    if (this.#inFlight > this.#limits.window) return undefined;
    this.#sent += 1;
    this.#inFlight += entry.size;
    if (entry.text !== undefined) return entry.text;
    return (entry.place && this.#disk.read(entry.place)) ?? createLostFrame(this.session, entry);
  }

  /** The hub has received this many pieces of a long line. */
  acknowledgePieces(seq: number, pieces: number): void {
    const first = this.#entries.findIndex((entry) => entry.first === seq && entry.more);
    if (first < 0) return;
    for (const entry of this.#entries.slice(first, Math.min(first + pieces, this.#sent))) {
      if (entry.first !== seq) return;
      this.#markAcknowledged(entry);
    }
  }

  #markAcknowledged(entry: Entry): void {
    if (!entry.acknowledged) this.#inFlight -= entry.size;
    entry.acknowledged = true;
  }

  /** The hub has stored everything up to this line. */
  acknowledge(seq: number): void {
    let count = 0;
    for (const entry of this.#entries) {
      if (entry.last > seq) break;
      this.#waiting -= entry.size;
      if (count < this.#sent) this.#markAcknowledged(entry);
      if (entry.place) this.#disk.release(entry.place);
      else this.#inMemory -= entry.size;
      count += 1;
    }
    if (count === 0) return;
    this.#entries.splice(0, count);
    this.#sent = Math.max(0, this.#sent - count);
    this.#onDisk = Math.max(0, this.#onDisk - count);
    this.#wakeWaiting();
  }

  /** Resends everything that the hub has not stored, on a new connection. */
  resendAfter(stored: number): void {
    this.acknowledge(stored);
    for (const entry of this.#entries) entry.acknowledged = false;
    this.#sent = 0;
    this.#inFlight = 0;
  }

  /** Writes entries that are only in memory to the disk. Returns false if the disk cannot be written now. */
  spill(): boolean {
    this.seal();
    try {
      for (; this.#onDisk < this.#entries.length; this.#onDisk += 1) {
        const entry = this.#entries[this.#onDisk];
        if (entry?.text === undefined) continue;
        entry.place = this.#disk.append({ ...entry, text: entry.text });
        entry.text = undefined;
        this.#inMemory -= entry.size;
      }
      this.#diskRefuses = false;
    } catch {
      this.#diskRefuses = true;
    }
    this.#wakeWaiting();
    return !this.#diskRefuses;
  }

  /** Undefined if there is space. Otherwise the promise resolves when there is. */
  waitForSpace(): Promise<void> | undefined {
    if (!this.isFull) return undefined;
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  get isFull(): boolean {
    const { memory, waiting } = this.#limits;
    return this.#waiting > waiting || (this.#diskRefuses && this.#inMemory > memory);
  }

  close(): void {
    this.#disk[Symbol.dispose]();
  }

  #wakeWaiting(): void {
    if (this.isFull) return;
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** Replaces a frame that could not be read from the disk. It reports the loss and leaves no gap in the numbers. */
function createLostFrame(session: string, { run, first, last, more }: Entry): string {
  const at = Date.now();
  const text = "An undelivered line could not be read from the disk and is lost.";
  const line = formatLogMarker("remark", { level: "error", text });
  if (more) {
    return formatFrame(
      { type: "chunk", session, run, seq: first, from: "keeper", at, last: false },
      [""],
    );
  }
  const count = last - first + 1;
  return formatFrame(
    {
      type: "lines",
      session,
      run,
      first,
      from: Array.from({ length: count }, () => "keeper" as const),
      at: Array.from({ length: count }, () => at),
    },
    Array.from({ length: count }, () => line),
  );
}
