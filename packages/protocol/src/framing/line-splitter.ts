import { ByteStore } from "./byte-store.ts";
import { type Line, lineText } from "./line.ts";

export const DEFAULT_LINE_LIMIT = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Cuts bytes into lines at 0x0A, wherever the chunks begin and end. It never holds more than
 * `limit` bytes of an unfinished line: the bytes after that are counted and dropped until the next
 * line end.
 *
 * Lines are cut before they are decoded, so a character that is split between two chunks stays
 * whole, and U+2028 (which JSON strings may contain, and at which `node:readline` cuts) is an
 * ordinary character.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #store: ByteStore;
  /** The beginning of a line that exceeded the limit. The bytes that follow it are only counted. */
  #cutLine: Line | undefined;
  #droppedBytes = 0;

  constructor(limit: number = DEFAULT_LINE_LIMIT) {
    this.#limit = limit;
    this.#store = new ByteStore(limit);
  }

  /** Returns the lines that this chunk completes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    if (this.#hasUnfinishedLine) {
      const end = chunk.indexOf(LF);
      if (end === -1) {
        this.#append(chunk);
        return lines;
      }
      this.#append(chunk.subarray(0, end));
      this.#release(lines);
      from = end + 1;
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= from) this.#decodeBlock(chunk.subarray(from, last), lines);
    const rest = chunk.subarray(Math.max(from, last + 1));
    if (rest.length > 0) this.#append(rest);
    return lines;
  }

  /** Returns the last line when the stream ends without a line end. */
  end(): Line[] {
    const lines: Line[] = [];
    if (this.#hasUnfinishedLine) this.#release(lines);
    return lines;
  }

  get #hasUnfinishedLine(): boolean {
    return this.#store.size > 0 || this.#cutLine !== undefined;
  }

  #append(piece: Uint8Array): void {
    const room = this.#limit - this.#store.size;
    if (this.#cutLine !== undefined) this.#droppedBytes += piece.length;
    else if (piece.length <= room) this.#store.append(piece);
    else this.#cutAtLimit(piece, room);
  }

  /** Decodes the stored bytes at once, so that only one copy of them exists from here on. */
  #cutAtLimit(piece: Uint8Array, room: number): void {
    this.#store.append(piece.subarray(0, room));
    const wholeCharacters = dropPartialCharacter(this.#store.bytes);
    this.#cutLine = decodeLine(wholeCharacters);
    this.#droppedBytes = piece.length - room + (this.#store.size - wholeCharacters.length);
    this.#store.clear();
  }

  #release(lines: Line[]): void {
    if (this.#cutLine !== undefined) {
      const original = typeof this.#cutLine === "string" ? {} : this.#cutLine.flaws;
      const flaws = { ...original, droppedBytes: this.#droppedBytes };
      lines.push({ text: lineText(this.#cutLine), flaws });
      this.#cutLine = undefined;
      return;
    }
    const { bytes } = this.#store;
    const whole = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    if (whole.length > 0) lines.push(decodeLine(whole));
    this.#store.clear();
  }

  /** Decodes several whole lines together and then cuts the text, which is much cheaper. */
  #decodeBlock(block: Uint8Array, lines: Line[]): void {
    let text: string;
    try {
      if (block.length > this.#limit) throw new RangeError("a line of this block may be too long");
      text = strict.decode(block);
    } catch {
      this.#decodeLineByLine(block, lines);
      return;
    }
    for (const line of text.split("\n")) {
      const whole = line.charCodeAt(line.length - 1) === CR ? line.slice(0, -1) : line;
      if (whole !== "") lines.push(whole);
    }
  }

  /**
   * Decodes line by line, for a block with a line that is not UTF-8 or is longer than the limit.
   */
  #decodeLineByLine(block: Uint8Array, lines: Line[]): void {
    for (let from = 0; from <= block.length;) {
      const found = block.indexOf(LF, from);
      const end = found === -1 ? block.length : found;
      this.#append(block.subarray(from, end));
      this.#release(lines);
      from = end + 1;
    }
  }
}

function decodeLine(bytes: Uint8Array): Line {
  try {
    return strict.decode(bytes);
  } catch {
    return { text: lenient.decode(bytes), flaws: { original: new Uint8Array(bytes) } };
  }
}

/**
 * The limit may fall inside a character. That character is dropped, so that a cut line does not
 * look like invalid UTF-8.
 */
function dropPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue; // A byte in the middle of a character.
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}
