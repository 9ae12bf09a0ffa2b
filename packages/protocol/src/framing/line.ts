/** One line as it was read. `text` is without its line end. */
export interface Line {
  readonly text: string;
  /** What was wrong with the bytes, if anything: most lines have none. */
  readonly flaws?: LineFlaws;
}

export interface LineFlaws {
  /** The line was longer than the limit: so many of its last bytes were thrown away. */
  readonly droppedBytes?: number;
  /** The bytes were not UTF-8: `text` holds replacement characters, this holds what came. */
  readonly original?: Uint8Array;
}
