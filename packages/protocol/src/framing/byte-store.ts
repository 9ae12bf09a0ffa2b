const MAX_REUSED_SIZE = 64 * 1024;

/**
 * The bytes of an unfinished line. The buffer grows as needed up to its limit, and its memory is
 * released.
 */
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

  /** Returns a view of the bytes, which is valid until the next change. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Copies bytes in. The caller makes sure that they fit within the limit. */
  append(piece: Uint8Array): void {
    const needed = this.#size + piece.length;
    if (needed > this.#buffer.length) this.#ensureCapacity(needed);
    this.#buffer.set(piece, this.#size);
    this.#size = needed;
  }

  clear(): void {
    this.#size = 0;
    if (this.#buffer.length <= MAX_REUSED_SIZE) return; // Keep the buffer for the next line.
    releaseMemory(this.#buffer);
    this.#buffer = new Uint8Array(0);
  }

  #ensureCapacity(needed: number): void {
    const capacity = Math.min(Math.max(needed, this.#buffer.length * 2, 1024), this.#limit);
    const larger = new Uint8Array(capacity);
    larger.set(this.bytes);
    releaseMemory(this.#buffer);
    this.#buffer = larger;
  }
}

/**
 * Frees the memory of an array at once, if the array covers its whole buffer. The garbage collector
 * does not count this memory and would let a hundred megabytes of read chunks pile up. (Node 20 has
 * no `transfer` and waits for the collector.)
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer?.(0);
}
