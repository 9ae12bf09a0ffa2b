const SMALL = 64 * 1024;

/** The bytes of an unfinished line: grows as it must, never past its limit, and gives memory back. */
export class ByteStore {
  readonly #limit: number;
  #buffer = new Uint8Array(0);
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** A view: good until the next change. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Copies a piece in. The caller sees to it that the limit is kept. */
  append(piece: Uint8Array): void {
    const needed = this.#size + piece.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(piece, this.#size);
    this.#size = needed;
  }

  clear(): void {
    this.#size = 0;
    if (this.#buffer.length <= SMALL) return; // kept for the next line
    releaseMemory(this.#buffer);
    this.#buffer = new Uint8Array(0);
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(needed, this.#buffer.length * 2, 1024), this.#limit);
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes);
    releaseMemory(this.#buffer);
    this.#buffer = larger;
  }
}

/**
 * Frees an array's memory now, if the array is all there is of it. The collector does not see how
 * large it is, and would let a hundred megabytes of read chunks pile up. (Node 20 cannot; it waits.)
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer?.(0);
}
