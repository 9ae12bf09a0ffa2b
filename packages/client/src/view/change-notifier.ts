/** Runs work a little later: in a browser, before the next frame. */
export type FrameScheduler = (work: () => void) => void;

/** How late a page in the background is updated: it draws no frames, but its title has to stay up to date. */
const HIDDEN_PAGE_MS = 250;

/** Waits for the next frame if there is a screen and the page is visible. */
export const scheduleNextFrame: FrameScheduler = (work) => {
  const { requestAnimationFrame } = globalThis as Partial<typeof globalThis>;
  let isDone = false;
  const runOnce = () => {
    if (!isDone) work();
    isDone = true;
  };
  requestAnimationFrame?.(runOnce);
  setTimeout(runOnce, requestAnimationFrame ? HIDDEN_PAGE_MS : 0);
};

/** Notifies listeners about changes, once for several changes. */
export class ChangeNotifier {
  readonly #schedule: FrameScheduler;
  readonly #listeners = new Set<() => void>();
  #isScheduled = false;
  #version = 0;

  constructor(schedule: FrameScheduler) {
    this.#schedule = schedule;
  }

  /**
   * Increases with each notification: a snapshot for listeners that only need to know that
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

  notify(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }
}
