/**
 * Lines are numbered without gaps, as they are kept here. A hub may have lost some that it had
 * acknowledged, with its data folder: then those after them take their numbers, and it is told.
 */
export class Numbering {
  /** Lines that no hub has any more: the numbers of those after them are less by so many. */
  skipped: number;
  /** Those of them of which the hub has not heard yet. */
  unreported = 0;
  #welcomedWith = 0;

  constructor(skipped: number) {
    this.skipped = skipped;
  }

  /** The number here of a line that the hub calls so. */
  toLocalNumber(received: number): number {
    return received + this.skipped;
  }

  /** The hub has so many, and `next` is the first that can be sent. Gives back how many are missing between. */
  welcomed(stored: number, next: number): number {
    const lost = Math.max(0, next - 1 - this.toLocalNumber(stored));
    this.skipped += lost;
    this.unreported += lost;
    this.#welcomedWith = stored;
    return lost;
  }

  /** More is stored than when it was told, which came first. */
  acknowledged(received: number): void {
    if (received > this.#welcomedWith) this.unreported = 0;
  }
}
