import { createInterface, type Interface } from "node:readline";

/** Asks for lines on the terminal, one question at a time. */
export class Keyboard {
  readonly #reader: Interface;
  #waiting: ((line: string | undefined) => void) | undefined;

  /** `onInterrupt` is called for Ctrl-C, whether or not a question is open. */
  constructor(onInterrupt: () => void) {
    this.#reader = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: true,
    });
    this.#reader.on("SIGINT", onInterrupt);
    // A line typed while nothing was asked answers nothing: it was not meant for what comes next.
    this.#reader.on("line", (line) => this.#settle(line));
    this.#reader.on("close", () => this.#settle(undefined));
  }

  /** The line typed, or undefined when the question was withdrawn or the terminal is gone. */
  ask(question: string, signal: AbortSignal, proposal = ""): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const withdraw = () => this.#settle(undefined);
      signal.addEventListener("abort", withdraw, { once: true });
      this.#waiting = (line) => {
        signal.removeEventListener("abort", withdraw);
        resolve(line);
      };
      this.#reader.write(null, { ctrl: true, name: "u" }); // what was half typed before
      this.#reader.setPrompt(question);
      this.#reader.prompt();
      if (proposal !== "") this.#reader.write(proposal);
    });
  }

  close(): void {
    this.#reader.close();
  }

  #settle(line: string | undefined): void {
    const settle = this.#waiting;
    this.#waiting = undefined;
    settle?.(line);
  }
}
