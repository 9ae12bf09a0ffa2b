import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Asks for lines on the terminal, one question at a time. */
export class Keyboard {
  readonly #reader: Interface;
  #waiting: ((line: string | undefined) => void) | undefined;
  #closed = false;

  /** Whether there is a terminal to ask on. Questions are written to standard error. */
  static get isAvailable(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  /**
   * `onInterrupt` is called for Ctrl-C, even if no question is open. `onLine` is called with a line that is
   * entered while no question is open, `onClose` when the input or the terminal has been closed.
   */
  constructor(
    onInterrupt: () => void,
    on: { onLine?: (line: string) => void; onClose?: () => void } = {},
  ) {
    this.#reader = createInterface({
      input: process.stdin,
      output: this.#echo(),
      terminal: true,
      historySize: 0, // so that an arrow key cannot repeat an answer to another question
    });
    this.#reader.on("SIGINT", onInterrupt);
    // A line that was typed while no question was open is not the answer to the next question.
    this.#reader.on("line", (line) => {
      if (this.#waiting) this.#settle(line);
      else on.onLine?.(line);
    });
    this.#reader.on("close", () => {
      this.#closed = true;
      this.#settle(undefined);
      on.onClose?.();
    });
  }

  /** Returns the typed line, or undefined if the question was withdrawn or the terminal was closed. */
  ask(question: string, signal: AbortSignal, proposal = ""): Promise<string | undefined> {
    if (signal.aborted || this.#closed) return Promise.resolve(undefined);
    this.takeTyped();
    return new Promise((resolve) => {
      const withdraw = () => {
        process.stderr.write("\n");
        this.#settle(undefined);
      };
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting = (line) => {
        signal.removeEventListener("abort", withdraw);
        resolve(line);
      };
      this.#reader.setPrompt(question);
      this.#reader.prompt();
      if (proposal !== "") this.#reader.write(proposal);
    });
  }

  /** Prints a line above the open question and keeps what has been typed. */
  interject(line: string): void {
    if (!this.#waiting) {
      process.stderr.write(`${line}\n`);
      return;
    }
    const typed = this.takeTyped();
    process.stderr.write(`\n${line}\n`);
    this.#reader.prompt();
    if (typed !== "") this.#reader.write(typed);
  }

  /** Text that has been typed and not entered. */
  get typed(): string {
    return this.#reader.line;
  }

  /** Removes the typed text from the line and returns it. */
  takeTyped(): string {
    const { typed } = this;
    this.#reader.write(null, { ctrl: true, name: "e" });
    this.#reader.write(null, { ctrl: true, name: "u" });
    return typed;
  }

  /** Whether the input or the terminal has been closed. */
  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#reader.close();
  }

  #settle(line: string | undefined): void {
    const settle = this.#waiting;
    this.#waiting = undefined;
    settle?.(line);
  }

  /** Echoes keys only while a question is open, so that they do not end up inside other text. */
  #echo(): Writable {
    const { stderr } = process;
    const echo = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        if (this.#waiting) stderr.write(chunk);
        done();
      },
    });
    Object.defineProperty(echo, "columns", { get: () => stderr.columns });
    return Object.assign(echo, { isTTY: true });
  }
}
