import type { Screen } from "../run/screen.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Style } from "../terminal/style.ts";
import type { Line } from "./keys.ts";

const words = {
  prompt: "› ",
  later: "  message after this turn (Enter alone: none) › ",
} as const;

interface MessageLineOptions {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly style: Style;
  /** Enter was pressed while this line was on the terminal. */
  readonly entered: (text: string, line: Line) => void;
  /** The line was taken back, and is gone. */
  readonly gone: () => void;
}

/** Where messages are typed. A line that is taken back keeps what was typed for the next one. */
export class MessageLine {
  readonly #options: MessageLineOptions;
  #open: { readonly line: Line; readonly takenBack: AbortController } | undefined;
  /** What was typed and is not in the keyboard's own line any more. */
  #kept = "";

  constructor(options: MessageLineOptions) {
    this.#options = options;
  }

  /** What is on the terminal. */
  get line(): Line {
    return this.#open && !this.#open.takenBack.signal.aborted ? this.#open.line : "none";
  }

  /** Whether something was typed that was not sent. */
  get hasText(): boolean {
    return `${this.#kept}${this.#options.keyboard.typed}`.trim() !== "";
  }

  /** Another line comes when the one that is there is gone. */
  show(line: Line): void {
    if (this.#open) {
      if (this.#open.line !== line) this.#open.takenBack.abort();
    } else if (line !== "none") {
      void this.#ask(line);
    }
  }

  /** Before something is printed. (While a message for later is typed, it waits by itself.) */
  makeRoom(): void {
    if (this.#open?.line === "prompt") this.#open.takenBack.abort();
  }

  takeBack(): void {
    this.#open?.takenBack.abort();
  }

  /** Puts a text up again, before what was typed since. */
  keep(text: string): void {
    this.#kept += text;
  }

  /** Somebody else asks for a line now: what was typed is not meant for that. */
  keepTyped(): void {
    this.keep(this.#options.keyboard.takeTyped());
  }

  async #ask(line: Exclude<Line, "none">): Promise<void> {
    const takenBack = new AbortController();
    this.#open = { line, takenBack };
    const ask = () => this.#read(words[line], takenBack.signal);
    const text = await (line === "later" ? this.#options.screen.alone(ask) : ask());
    this.#open = undefined;
    if (text !== undefined) this.#options.entered(text, line);
    else if (!this.#options.keyboard.closed) this.#options.gone();
  }

  #read(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { keyboard, style } = this.#options;
    if (signal.aborted) return Promise.resolve(undefined);
    const typed = `${this.#kept}${keyboard.takeTyped()}`;
    this.#kept = "";
    return keyboard.ask(style.cyan(question), signal, typed);
  }
}
