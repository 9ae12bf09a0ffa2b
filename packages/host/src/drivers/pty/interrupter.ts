import { systemTimers, type Timers } from "./timers.ts";

const AGAIN_AFTER_MS = 1000;
const MAX_PRESSES = 20;

interface InterrupterOptions {
  readonly press: () => void;
  /** Whether a turn runs, or its dialog is open. */
  readonly isBusy: () => boolean;
  readonly timers?: Timers;
}

/**
 * Interrupts a turn by its key. Claude Code ignores keys right after it has shown a dialog, so the key is pressed
 * again until the turn is over. In a session that is idle it is pressed once: twice would open another dialog.
 */
export class Interrupter {
  readonly #options: InterrupterOptions;
  readonly #timers: Timers;
  #cancel = () => {};

  constructor(options: InterrupterOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  interrupt(): void {
    this.stop();
    this.#press(1);
  }

  /** Presses the key no more. */
  stop(): void {
    this.#cancel();
  }

  #press(count: number): void {
    const { press, isBusy } = this.#options;
    press();
    if (count === MAX_PRESSES) return;
    this.#cancel = this.#timers.after(AGAIN_AFTER_MS, () => {
      if (isBusy()) this.#press(count + 1);
    });
  }
}
