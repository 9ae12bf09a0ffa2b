import type { FrameScheduler } from "../view/change-notifier.ts";

/**
 * The least to acknowledge at once, far below the mebibyte at which the hub counts a client as
 * slow.
 */
const AT_LEAST = 64 * 1024;
const LATEST_MS = 500;

/**
 * Tells the hub how much of its data has been applied, but not before the next frame: a screen that
 * does not keep up must not get more data.
 */
export class Acknowledger {
  readonly #schedule: FrameScheduler;
  readonly #send: (received: number) => void;
  #received = 0;
  #acknowledgedBytes = 0;
  #due = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(schedule: FrameScheduler, send: (received: number) => void) {
    this.#schedule = schedule;
    this.#send = send;
  }

  /** Starts counting from zero, because a new connection does. */
  restart(): void {
    this.#received = 0;
    this.#acknowledgedBytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Counts a frame without content. It is acknowledged with the next one that has some. */
  countHeartbeat(length: number): void {
    this.#received += length;
  }

  count(length: number): void {
    this.#received += length;
    if (this.#received - this.#acknowledgedBytes < AT_LEAST) {
      this.#timer ??= setTimeout(() => this.#acknowledgeNext(), LATEST_MS);
    } else {
      this.#acknowledgeNext();
    }
  }

  #acknowledgeNext(): void {
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
    if (this.#received === this.#acknowledgedBytes) return;
    this.#acknowledgedBytes = this.#received;
    this.#send(this.#received);
  }
}
