const TICK_MS = 5000;
const QUIET_TICKS = 3;
const DEAD_TICKS = 6;

/**
 * Notices when the other side of a connection is gone without having said so: after 15 s of silence
 * it is asked, after 30 s it is dead. It counts ticks and not time, so that a process that was
 * paused, or a machine that slept, does not take its own silence for the other's.
 */
export class Liveness {
  readonly #timer: ReturnType<typeof setInterval>;
  #silentTicks = 0;

  constructor(on: { quiet: () => void; dead: () => void }, tickMs = TICK_MS) {
    this.#timer = setInterval(() => {
      this.#silentTicks += 1;
      if (this.#silentTicks >= DEAD_TICKS) on.dead();
      else if (this.#silentTicks >= QUIET_TICKS) on.quiet();
    }, tickMs);
  }

  heard(): void {
    this.#silentTicks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
