/** Runs work a little later: in a browser, before the next frame. */
export type FrameScheduler = (work: () => void) => void;

/** A page in the background draws no frames but still needs an up-to-date title. */
const UNSEEN_MS = 250;

/** Waits for the next frame if there is a screen and the page is visible. */
export const scheduleNextFrame: FrameScheduler = (work) => {
  const { requestAnimationFrame: nextPicture } = globalThis as Partial<typeof globalThis>;
  let waits = true;
  const once = () => {
    if (waits) work();
    waits = false;
  };
  nextPicture?.(once);
  setTimeout(once, nextPicture ? UNSEEN_MS : 0);
};

/** Notifies listeners about changes, once for several changes. */
export class Announcer {
  readonly #schedule: FrameScheduler;
  readonly #listeners = new Set<() => void>();
  #due = false;
  #version = 0;

  constructor(schedule: FrameScheduler) {
    this.#schedule = schedule;
  }

  /**
   * Increases with each announcement: a snapshot for listeners that only need to know that
   * something changed.
   */
  get version(): number {
    return this.#version;
  }

  subscribe(listener: () => void): () => void {
    const own = () => listener(); // The same function passed twice counts as two listeners.
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  announce(): void {
    if (this.#due) return;
    this.#due = true;
    this.#schedule(() => {
      this.#due = false;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }
}
