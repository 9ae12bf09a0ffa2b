const TICK_MS = 1000;
const QUIET_TICKS = 15;
const DEAD_TICKS = 30;
/** How long a hub that is asked whether it is still there has for its answer. */
const PROBE_TICKS = 2;

/**
 * Notices when the other side of a connection is gone without having said so: after 15 s of silence
 * it is asked, after 30 s it is dead. It counts ticks and not time, so that a process that was
 * paused, or a machine that slept, does not take its own silence for the other's.
 */
export class SilenceMonitor {
  readonly #timer: ReturnType<typeof setInterval>;
  #silentTicks = 0;

  constructor(on: { quiet: () => void; dead: () => void }, tickMs = TICK_MS) {
    this.#timer = setInterval(() => {
      this.#silentTicks += 1;
      if (this.#silentTicks >= DEAD_TICKS) on.dead();
      else if (this.#silentTicks % QUIET_TICKS === 0) on.quiet();
    }, tickMs);
  }

  /** There is doubt: without a sign soon it is dead. */
  expectAnswer(): void {
    this.#silentTicks = DEAD_TICKS - PROBE_TICKS - 1; // the tick that is under way does not count
  }

  onActivity(): void {
    this.#silentTicks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
