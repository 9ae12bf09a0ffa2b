import type { ScreenFacts } from "./read-screen.ts";
import { systemTimers, type Timers } from "./timers.ts";

type ActivityState = "active" | "idle" | "asking";
/** From what it is known: the program's hooks, its transcript, or only from its screen. */
type ActivitySource = "hooks" | "transcript" | "screen";

export interface Activity {
  readonly state: ActivityState;
  readonly source: ActivitySource;
}

/** Without output for this long a program is idle, if nothing better is known. */
const IDLE_AFTER_MS = 2000;

interface TerminalActivityOptions {
  readonly onChange: (activity: Activity) => void;
  readonly timers?: Timers;
}

/**
 * What a program in a terminal does. Its hooks and its transcript tell when a turn begins and ends,
 * and its hooks what it asks. Where they tell nothing, the screen does: the program is active while
 * output arrives, and it asks when it shows a dialog.
 */
export class TerminalActivity {
  readonly #options: TerminalActivityOptions;
  readonly #timers: Timers;
  #hasHooks = false;
  #hasTranscript = false;
  #isInTurn = false;
  #requests = 0;
  #isDialogShown = false;
  #isPrinting = false;
  #cancelIdle = () => {};
  #last: Activity | undefined;

  constructor(options: TerminalActivityOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
  }

  get current(): Activity {
    const state = this.#state;
    const isFromScreen = state === "asking" && this.#requests === 0;
    return { state, source: isFromScreen ? "screen" : this.#source };
  }

  get #state(): ActivityState {
    if (this.#requests > 0 || this.#isDialogShown) return "asking";
    const isActive = this.#source === "screen" ? this.#isPrinting : this.#isInTurn;
    return isActive ? "active" : "idle";
  }

  get #source(): ActivitySource {
    if (this.#hasHooks) return "hooks";
    return this.#hasTranscript ? "transcript" : "screen";
  }

  /** The program has printed something. */
  onOutput(): void {
    this.#isPrinting = true;
    this.#cancelIdle();
    this.#cancelIdle = this.#timers.after(IDLE_AFTER_MS, () => {
      this.#isPrinting = false;
      this.#report();
    });
    this.#report();
  }

  onScreen({ isAsking }: Pick<ScreenFacts, "isAsking">): void {
    this.#isDialogShown = isAsking;
    this.#report();
  }

  /** A hook was called. */
  onHook(): void {
    this.#hasHooks = true;
    this.#report();
  }

  /** A turn has begun or ended, as a hook or the transcript tells. */
  onTurn(isInTurn: boolean, source: "hooks" | "transcript"): void {
    if (source === "hooks") this.#hasHooks = true;
    else this.#hasTranscript = true;
    this.#isInTurn = isInTurn;
    this.#report();
  }

  /** So many requests of hooks wait for an answer. */
  onRequests(count: number): void {
    this.#requests = count;
    this.#report();
  }

  stop(): void {
    this.#cancelIdle();
  }

  #report(): void {
    const { current } = this;
    if (this.#last?.state === current.state && this.#last.source === current.source) return;
    this.#last = current;
    this.#options.onChange(current);
  }
}
