/** The last so many bytes of a stream, as text. */
export class Tail {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece.length > this.#limit ? piece.subarray(-this.#limit) : piece);
    this.#bytes += this.#pieces.at(-1)?.length ?? 0;
    if (this.#bytes > this.#limit * 2) this.#compact();
  }

  get text(): string {
    this.#compact();
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  #compact(): void {
    const lastBytes = Buffer.concat(this.#pieces).subarray(-this.#limit);
    this.#pieces = [Buffer.from(lastBytes)];
    this.#bytes = lastBytes.length;
  }
}
