import type { Schedule } from "../view/announcer.ts";

/** Long before the hub takes a client for slow, which is at a mebibyte. */
const AT_LEAST = 64 * 1024;
const LATEST_MS = 500;

/**
 * Tells the hub how much of what it sent has been applied. Not before the next picture: a screen that
 * does not keep up must not be sent more.
 */
export class Acknowledger {
  readonly #schedule: Schedule;
  readonly #send: (received: number) => void;
  #received = 0;
  #told = 0;
  #due = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(schedule: Schedule, send: (received: number) => void) {
    this.#schedule = schedule;
    this.#send = send;
  }

  /** A new connection counts from its start. */
  restart(): void {
    this.#received = 0;
    this.#told = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  count(length: number): void {
    this.#received += length;
    if (this.#received - this.#told < AT_LEAST) {
      this.#timer ??= setTimeout(() => this.#tellNext(), LATEST_MS);
    } else {
      this.#tellNext();
    }
  }

  #tellNext(): void {
    if (this.#due) return;
    this.#due = true;
    this.#schedule(() => {
      this.#due = false;
      this.#tell();
    });
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#received === this.#told) return;
    this.#told = this.#received;
    this.#send(this.#received);
  }
}
