const TICK_MS = 1000;
const QUIET_TICKS = 15;
const DEAD_TICKS = 30;
/** The number of ticks that a hub has to answer a probe. */
const PROBE_TICKS = 2;

/**
 * Detects that the other side of a connection is gone: it is probed after 15 s of silence and considered dead
 * after 30 s. It counts ticks instead of time, so that a paused process or a sleeping machine does not mistake
 * its own silence for that of the other side.
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

  /** Expects an answer soon; without one the connection is considered dead. */
  expectAnswer(): void {
    this.#silentTicks = DEAD_TICKS - PROBE_TICKS - 1; // the current tick does not count
  }

  onActivity(): void {
    this.#silentTicks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
