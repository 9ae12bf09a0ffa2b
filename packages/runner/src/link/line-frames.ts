import type { LineFlaws } from "@signalbox/protocol";
import { CHUNK, formatFrame, type LineSource } from "@signalbox/api/link";

/** A frame with lines that is ready to be sent. */
export interface LineFrame {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  /** The frame is a piece of a long line, but not the last one. */
  readonly more: boolean;
  /** The frame contains the marker that its run has ended. */
  readonly ends: boolean;
  readonly text: string;
}

interface LineFacts {
  readonly session: string;
  readonly run: string;
  readonly from: LineSource;
  readonly at: number;
}

/** The characters that a line adds to the head of its frame: its source, time and position. */
const LINE_OVERHEAD = 64;

/** Collects lines for one frame. */
export class FrameBuilder {
  readonly run: string;
  readonly first: number;
  readonly #session: string;
  readonly #from: LineSource[] = [];
  readonly #at: number[] = [];
  readonly #lines: string[] = [];
  #flaws: Record<string, WireFlaws> | undefined;
  #ends = false;
  #characters = 0;

  constructor(session: string, run: string, first: number) {
    this.#session = session;
    this.run = run;
    this.first = first;
  }

  get characters(): number {
    return this.#characters;
  }

  add(from: LineSource, at: number, text: string, flaws: LineFlaws | undefined, ends: boolean) {
    if (flaws) (this.#flaws ??= {})[this.#lines.length] = encodeFlaws(flaws, flaws.original);
    this.#from.push(from);
    this.#at.push(at);
    this.#lines.push(text);
    this.#ends ||= ends;
    const original = Math.ceil(((flaws?.original?.length ?? 0) * 4) / 3);
    this.#characters += text.length + original + LINE_OVERHEAD;
  }

  build(): LineFrame {
    const { run, first } = this;
    const head = {
      type: "lines",
      session: this.#session,
      run,
      first,
      from: this.#from,
      at: this.#at,
      ...(this.#flaws && { flaws: this.#flaws }),
    } as const;
    const last = first + this.#lines.length - 1;
    return {
      run,
      first,
      last,
      more: false,
      ends: this.#ends,
      text: formatFrame(head, this.#lines),
    };
  }
}

/** A multiple of three bytes, so that the base64 texts of the pieces can be joined. */
const ORIGINAL_PIECE = 3 * 128 * 1024;

/** Whether a line has to be sent in pieces. */
export function needsChunks(text: string, flaws: LineFlaws | undefined): boolean {
  return text.length > CHUNK || (flaws?.original?.length ?? 0) > ORIGINAL_PIECE;
}

/** Splits a long line, and its original bytes if they were not UTF-8, into frames. */
export function* createChunkFrames(
  { session, run, from, at }: LineFacts,
  seq: number,
  text: string,
  flaws: LineFlaws | undefined,
): Generator<LineFrame, void, undefined> {
  const texts = splitText(text);
  const originals = splitBytes(flaws?.original);
  const count = Math.max(texts.length, originals.length);
  for (let index = 0; index < count; index += 1) {
    const last = index === count - 1;
    const encodedFlaws = encodeFlaws(last ? flaws : undefined, originals[index]);
    const head = {
      type: "chunk",
      session,
      run,
      seq,
      from,
      at,
      last,
      ...(Object.keys(encodedFlaws).length > 0 && { flaws: encodedFlaws }),
    } as const;
    const piece = formatFrame(head, [texts[index] ?? ""]);
    yield { run, first: seq, last: seq, more: !last, ends: false, text: piece };
  }
}

/** Splits a text, but never a surrogate pair, because half of one is not a valid character. */
function splitText(text: string): string[] {
  const cut: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + CHUNK, text.length);
    const end = text.charCodeAt(to - 1);
    if (to < text.length && end >= 0xd800 && end <= 0xdbff) to -= 1;
    cut.push(text.slice(from, to));
    from = to;
  }
  return cut;
}

function splitBytes(bytes: Uint8Array = new Uint8Array()): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += ORIGINAL_PIECE) {
    cut.push(bytes.subarray(from, from + ORIGINAL_PIECE));
  }
  return cut;
}

interface WireFlaws {
  droppedBytes?: number;
  original?: string;
}

function encodeFlaws(flaws: LineFlaws | undefined, original: Uint8Array | undefined): WireFlaws {
  return {
    ...(flaws?.droppedBytes !== undefined && { droppedBytes: flaws.droppedBytes }),
    ...(original && { original: Buffer.from(original).toString("base64") }),
  };
}
