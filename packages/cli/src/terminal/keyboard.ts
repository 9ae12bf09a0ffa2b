import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Asks for lines on the terminal, one question at a time. */
export class Keyboard {
  readonly #reader: Interface;
  #waiting: ((line: string | undefined) => void) | undefined;
  #closed = false;

  /** Whether someone can be asked: questions go to standard error. */
  static get isAvailable(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  /**
   * `onInterrupt` is called for Ctrl-C, whether or not a question is open; `enter` with a line that ends
   * while none is; `closed` when the person has ended the input, or the terminal is gone.
   */
  constructor(
    onInterrupt: () => void,
    on: { enter?: (line: string) => void; isClosed?: () => void } = {},
  ) {
    this.#reader = createInterface({
      input: process.stdin,
      output: this.#echo(),
      terminal: true,
      historySize: 0, // an arrow key must not bring back an answer to something else
    });
    this.#reader.on("SIGINT", onInterrupt);
    // A line typed while nothing was asked answers nothing: it was not meant for what comes next.
    this.#reader.on("line", (line) => {
      if (this.#waiting) this.#settle(line);
      else on.enter?.(line);
    });
    this.#reader.on("close", () => {
      this.#closed = true;
      this.#settle(undefined);
      on.isClosed?.();
    });
  }

  /** The line typed, or undefined when the question was withdrawn or the terminal is gone. */
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

  /** Prints a line above the question that is open, which stays, with what was typed. */
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

  /** What is typed and not sent off. */
  get typed(): string {
    return this.#reader.line;
  }

  /** Takes it away, from the cursor to either side. */
  takeTyped(): string {
    const { typed } = this;
    this.#reader.write(null, { ctrl: true, name: "e" });
    this.#reader.write(null, { ctrl: true, name: "u" });
    return typed;
  }

  /** Whether the terminal is gone, or the person has ended its input. */
  get closed(): boolean {
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

  /** Keys are shown only while a question is open: otherwise they would land inside other text. */
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
