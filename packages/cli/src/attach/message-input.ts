import type { Screen } from "../run/screen.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Style } from "../terminal/style.ts";
import type { InputKind } from "./key-actions.ts";

const prompts = {
  prompt: "› ",
  later: "  Queue a follow-up (Enter to cancel) › ",
} as const;

interface MessageInputOptions {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly style: Style;
  /** Called when Enter is pressed while this line is on the terminal. */
  readonly onEnter: (text: string, line: InputKind) => void;
  /** Called when a withdrawn line is gone from the terminal. */
  readonly onWithdrawn: () => void;
}

/** The line for typing messages. A withdrawn line keeps its text for the next one. */
export class MessageInput {
  readonly #options: MessageInputOptions;
  #open: { readonly kind: InputKind; readonly withdrawal: AbortController } | undefined;
  /** Typed text that is no longer in the keyboard's line. */
  #saved = "";

  constructor(options: MessageInputOptions) {
    this.#options = options;
  }

  /** The kind of line that is on the terminal. */
  get line(): InputKind {
    return this.#open && !this.#open.withdrawal.signal.aborted ? this.#open.kind : "none";
  }

  /** Whether there is typed text that was not sent. */
  get hasText(): boolean {
    return `${this.#saved}${this.#options.keyboard.typed}`.trim() !== "";
  }

  /** Shows a line. If another one is open, that one is withdrawn first. */
  show(line: InputKind): void {
    if (this.#open) {
      if (this.#open.kind !== line) this.#open.withdrawal.abort();
    } else if (line !== "none") {
      void this.#ask(line);
    }
  }

  /** Call before printing. A follow-up line stays: output waits until it is closed. */
  hideForOutput(): void {
    if (this.#open?.kind === "prompt") this.#open.withdrawal.abort();
  }

  withdraw(): void {
    this.#open?.withdrawal.abort();
  }

  /** Keeps text for the next line, in front of what has been typed since. */
  saveText(text: string): void {
    this.#saved += text;
  }

  /** Keeps what was typed for the next message line, because another question uses the line now. */
  saveTyped(): void {
    this.saveText(this.#options.keyboard.takeTyped());
  }

  async #ask(line: Exclude<InputKind, "none">): Promise<void> {
    const withdrawal = new AbortController();
    this.#open = { kind: line, withdrawal };
    const ask = () => this.#read(prompts[line], withdrawal.signal);
    const text = await (line === "later" ? this.#options.screen.runExclusive(ask) : ask());
    this.#open = undefined;
    if (text !== undefined) this.#options.onEnter(text, line);
    else if (!this.#options.keyboard.isClosed) this.#options.onWithdrawn();
  }

  #read(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { keyboard, style } = this.#options;
    if (signal.aborted) return Promise.resolve(undefined);
    const typed = `${this.#saved}${keyboard.takeTyped()}`;
    this.#saved = "";
    return keyboard.ask(style.cyan(question), signal, typed);
  }
}
