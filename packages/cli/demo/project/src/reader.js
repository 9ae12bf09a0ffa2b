import { fits } from "./limit.js";

/** Splits chunks of text into lines, and skips lines that are too long. */
export class Reader {
  #rest = "";
  lines = [];

  write(chunk) {
    setTimeout(() => this.#take(chunk), 5); // as a pipe would: later, and on its own time
  }

  #take(chunk) {
    const parts = (this.#rest + chunk).split("\n");
    this.#rest = parts.pop() ?? "";
    this.lines.push(...parts.filter(fits));
  }
}
