import { type Completer, createInterface, type Interface } from "node:readline";
import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import type { Style } from "./screen.ts";
import { getColumns, wrap } from "./wrap.ts";
import type { Streams } from "./ask-line.ts";

const codes: Readonly<Record<Style, string>> = { plain: "", dim: "\u001b[2m", bold: "\u001b[1m" };

/** A terminal on which text is written above the line that a person types in. */
export class Page {
  readonly lines: Interface;
  readonly #output: Streams["output"];
  readonly #isTerminal: boolean;
  readonly #isColored: boolean;
  #isClosed = false;
  #hasPrompted = false;

  constructor({ input, output }: Streams, completer: Completer) {
    this.#output = output;
    this.lines = createInterface({ input, output, prompt: "> ", completer });
    this.#isTerminal = "isTTY" in output && output.isTTY === true;
    this.#isColored = this.#isTerminal && !process.env["NO_COLOR"];
    this.lines.on("line", () => (this.#hasPrompted = false));
    this.lines.on("close", () => {
      if (this.#isTerminal) this.#erase();
      this.#isClosed = true;
    });
  }

  get columns(): number {
    return getColumns(this.#output);
  }

  /** Sets the prompt before the line that is typed. */
  prompt(text: string): void {
    const isOther = this.lines.getPrompt() !== text || !this.#hasPrompted;
    this.#hasPrompted = true;
    this.#above("", text);
    if (!this.#isTerminal && isOther) this.#output.write(text);
  }

  say(text: string, style: Style = "plain"): void {
    const all = wrap(text, this.columns);
    const code = this.#isColored ? codes[style] : "";
    const painted =
      code === ""
        ? all
        : all
            .split("\n")
            .map((line) => `${code}${line}\u001b[0m`)
            .join("\n");
    this.#above(`${painted}\n`);
  }

  /** Removes the last typed line from the history, because it was an answer and not a prompt. */
  forgetLast(): void {
    (this.lines as { history?: string[] }).history?.shift();
  }

  /** Writes above the line that is typed, and draws that line again below. */
  #above(text: string, prompt = this.lines.getPrompt()): void {
    if (!this.#isTerminal || this.#isClosed) {
      this.lines.setPrompt(prompt);
      this.#output.write(text);
      return;
    }
    this.#erase();
    this.#output.write(text);
    this.lines.setPrompt(prompt);
    // The cursor is on the first row now, because the line was erased.
    (this.lines as { prevRows?: number }).prevRows = 0;
    this.lines.prompt(true);
  }

  /** Erases the line that is being typed, with its prompt. */
  #erase(): void {
    moveCursor(this.#output, 0, -this.lines.getCursorPos().rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
  }
}
