/** Runs work a little later: in a browser, before the next picture. */
export type Schedule = (work: () => void) => void;

/** A page in the background has no next picture, and still wants its title right. */
const UNSEEN_MS = 250;

/** The screen's next picture, where there is a screen and someone looks at it. */
export const scheduleNextFrame: Schedule = (work) => {
  const { requestAnimationFrame: nextPicture } = globalThis as Partial<typeof globalThis>;
  let waits = true;
  const once = () => {
    if (waits) work();
    waits = false;
  };
  nextPicture?.(once);
  setTimeout(once, nextPicture ? UNSEEN_MS : 0);
};

/** Tells its listeners that something changed, once for all that changed until then. */
export class Announcer {
  readonly #schedule: Schedule;
  readonly #listeners = new Set<() => void>();
  #due = false;
  #version = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Grows with each announcement: a snapshot for those who only want to know that. */
  get version(): number {
    return this.#version;
  }

  subscribe(listener: () => void): () => void {
    const own = () => listener(); // the same function given twice is two listeners
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
