import type { Screen } from "../run/screen.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Style } from "../terminal/style.ts";
import type { InputKind } from "./key-actions.ts";

const prompts = {
  prompt: "› ",
  later: "  message after this turn (Enter alone: none) › ",
} as const;

interface MessageInputOptions {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly style: Style;
  /** Enter was pressed while this line was on the terminal. */
  readonly onEnter: (text: string, line: InputKind) => void;
  /** The line was taken back, and is gone. */
  readonly onWithdrawn: () => void;
}

/** Where messages are typed. A line that is taken back keeps what was typed for the next one. */
export class MessageInput {
  readonly #options: MessageInputOptions;
  #open: { readonly kind: InputKind; readonly takenBack: AbortController } | undefined;
  /** What was typed and is not in the keyboard's own line any more. */
  #saved = "";

  constructor(options: MessageInputOptions) {
    this.#options = options;
  }

  /** What is on the terminal. */
  get line(): InputKind {
    return this.#open && !this.#open.takenBack.signal.aborted ? this.#open.kind : "none";
  }

  /** Whether something was typed that was not sent. */
  get hasText(): boolean {
    return `${this.#saved}${this.#options.keyboard.typed}`.trim() !== "";
  }

  /** Another line comes when the one that is there is gone. */
  show(line: InputKind): void {
    if (this.#open) {
      if (this.#open.kind !== line) this.#open.takenBack.abort();
    } else if (line !== "none") {
      void this.#ask(line);
    }
  }

  /** Before something is printed. (While a message for later is typed, it waits by itself.) */
  hideForOutput(): void {
    if (this.#open?.kind === "prompt") this.#open.takenBack.abort();
  }

  withdraw(): void {
    this.#open?.takenBack.abort();
  }

  /** Puts a text up again, before what was typed since. */
  saveText(text: string): void {
    this.#saved += text;
  }

  /** Somebody else asks for a line now: what was typed is not meant for that. */
  saveTyped(): void {
    this.saveText(this.#options.keyboard.takeTyped());
  }

  async #ask(line: Exclude<InputKind, "none">): Promise<void> {
    const takenBack = new AbortController();
    this.#open = { kind: line, takenBack };
    const ask = () => this.#read(prompts[line], takenBack.signal);
    const text = await (line === "later" ? this.#options.screen.runExclusive(ask) : ask());
    this.#open = undefined;
    if (text !== undefined) this.#options.onEnter(text, line);
    else if (!this.#options.keyboard.closed) this.#options.onWithdrawn();
  }

  #read(question: string, signal: AbortSignal): Promise<string | undefined> {
    const { keyboard, style } = this.#options;
    if (signal.aborted) return Promise.resolve(undefined);
    const typed = `${this.#saved}${keyboard.takeTyped()}`;
    this.#saved = "";
    return keyboard.ask(style.cyan(question), signal, typed);
  }
}
