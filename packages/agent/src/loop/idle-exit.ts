import { clampTimerMs } from "../clamp-timer.ts";

/** Exits the program after it was idle for a while: `CLAUDE_CODE_EXIT_AFTER_STOP_DELAY`, in ms. */
export class IdleExit {
  readonly #delayMs: number | undefined;
  readonly #leave: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(setting: string | undefined, leave: () => void) {
    const delay = Number(setting);
    this.#delayMs = setting !== undefined && delay > 0 ? delay : undefined;
    this.#leave = leave;
  }

  /** Starts the wait: a turn has ended and no other is queued. */
  idle(): void {
    if (this.#delayMs === undefined) return;
    this.busy();
    this.#timer = setTimeout(this.#leave, clampTimerMs(this.#delayMs));
  }

  busy(): void {
    clearTimeout(this.#timer);
  }
}
