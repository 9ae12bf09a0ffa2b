import type { Line, LineFlaws } from "./line.ts";

export const DEFAULT_LINE_LIMIT = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Cuts bytes into lines at 0x0A, whatever the chunks. It never holds more than `limit` bytes of an
 * unfinished line: what comes after them is counted and dropped until the next line end.
 *
 * Lines are cut before they are decoded, so a character split between two chunks stays whole, and
 * U+2028 (which JSON strings may hold, and `node:readline` cuts at) is an ordinary character.
 */
export class LineSplitter {
  readonly #limit: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #droppedBytes = 0;

  constructor(limit: number = DEFAULT_LINE_LIMIT) {
    this.#limit = limit;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    if (this.#heldBytes > 0 || this.#droppedBytes > 0) {
      const end = chunk.indexOf(LF);
      if (end === -1) {
        this.#hold(chunk);
        return lines;
      }
      this.#hold(chunk.subarray(0, end));
      this.#release(lines);
      from = end + 1;
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= from) this.#splitWhole(chunk.subarray(from, last), lines);
    const rest = chunk.subarray(Math.max(from, last + 1));
    if (rest.length > 0) this.#hold(rest);
    return lines;
  }

  /** The last line, when the stream ends without a line end. */
  end(): Line[] {
    const lines: Line[] = [];
    if (this.#heldBytes > 0 || this.#droppedBytes > 0) this.#release(lines);
    return lines;
  }

  #hold(piece: Uint8Array): void {
    const room = this.#limit - this.#heldBytes;
    const kept = piece.length <= room ? piece : piece.subarray(0, room);
    this.#droppedBytes += piece.length - kept.length;
    if (kept.length === 0) return;
    // A view of a chunk that is almost all something else would keep all of it alive.
    this.#held.push(kept.length * 2 < kept.buffer.byteLength ? kept.slice() : kept);
    this.#heldBytes += kept.length;
  }

  #release(lines: Line[]): void {
    const pieces = this.#held;
    const droppedBytes = this.#droppedBytes;
    this.#held = [];
    this.#heldBytes = 0;
    this.#droppedBytes = 0;
    let bytes = pieces.length === 1 && pieces[0] ? pieces[0] : concat(pieces);
    pieces.length = 0; // a long line is large: let go of the pieces before decoding their copy
    if (droppedBytes > 0) bytes = withoutHalfCharacter(bytes);
    const line = decodeLine(bytes, droppedBytes);
    if (line) lines.push(line);
  }

  /** Several whole lines at once: decoded together and then cut, which is far cheaper. */
  #splitWhole(block: Uint8Array, lines: Line[]): void {
    let text: string;
    try {
      if (block.length > this.#limit) throw new RangeError("a line of this block may be too long");
      text = strict.decode(block);
    } catch {
      this.#splitFlawed(block, lines);
      return;
    }
    let from = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      pushText(text, from, end, lines);
      from = end + 1;
    }
    pushText(text, from, text.length, lines);
  }

  /** The careful way: some line of this block is not UTF-8 or is longer than the limit. */
  #splitFlawed(block: Uint8Array, lines: Line[]): void {
    for (let from = 0; from <= block.length;) {
      const found = block.indexOf(LF, from);
      const end = found === -1 ? block.length : found;
      this.#hold(block.subarray(from, end));
      this.#release(lines);
      from = end + 1;
    }
  }
}

function pushText(text: string, from: number, end: number, lines: Line[]): void {
  const to = text.charCodeAt(end - 1) === CR && end > from ? end - 1 : end;
  if (to > from) lines.push({ text: text.slice(from, to) });
}

function decodeLine(raw: Uint8Array, droppedBytes: number): Line | undefined {
  const bytes = droppedBytes === 0 && raw.at(-1) === CR ? raw.subarray(0, -1) : raw;
  if (bytes.length === 0 && droppedBytes === 0) return undefined;
  const cut: LineFlaws = droppedBytes > 0 ? { droppedBytes } : {};
  try {
    const text = strict.decode(bytes);
    return droppedBytes > 0 ? { text, flaws: cut } : { text };
  } catch {
    return { text: lenient.decode(bytes), flaws: { ...cut, original: bytes.slice() } };
  }
}

/** The limit may fall inside a character: that one goes too, so a cut never looks like bad UTF-8. */
function withoutHalfCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue; // the middle of a character
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

function concat(pieces: Uint8Array[]): Uint8Array {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
