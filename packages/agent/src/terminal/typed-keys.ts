import { Transform, type TransformCallback } from "node:stream";
import type { ReadStream } from "node:tty";
import { StringDecoder } from "node:string_decoder";

/** Takes the place of a line end in the line that is being typed. */
export const LINE_END_MARK = "⏎";
/**
 * Makes the terminal mark the beginning and the end of a paste; the second sequence turns that off.
 */
export const MARK_PASTES = "\u001b[?2004h";
export const MARK_NO_PASTES = "\u001b[?2004l";

const BEGIN = "\u001b[200~";
const END = "\u001b[201~";

/**
 * Converts what is typed at a terminal for a reader of single lines: the line ends of a paste, and
 * those typed with Ctrl-J, become marks, so that a pasted text waits as a whole until Enter is
 * pressed.
 */
export class TypedKeys extends Transform {
  readonly #decoder = new StringDecoder("utf8");
  readonly #terminal: ReadStream;
  readonly isTTY = true;
  #rest = "";
  #isPaste = false;

  constructor(terminal: ReadStream) {
    super();
    this.#terminal = terminal;
    terminal.pipe(this);
  }

  /** Sets the terminal's mode. The reader calls it. */
  setRawMode(isRaw: boolean): this {
    this.#terminal.setRawMode(isRaw);
    return this;
  }

  override _transform(bytes: Buffer, _encoding: string, done: TransformCallback): void {
    done(null, this.#take(this.#decoder.write(bytes)));
  }

  #take(text: string): string {
    let keys = "";
    let rest = this.#rest + text;
    for (;;) {
      const mark = this.#isPaste ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at === -1) break;
      keys += this.#marked(rest.slice(0, at));
      rest = rest.slice(at + mark.length);
      this.#isPaste = !this.#isPaste;
    }
    const partialKey = this.#findIncompleteSequence(rest);
    this.#rest = partialKey;
    return keys + this.#marked(rest.slice(0, rest.length - partialKey.length));
  }

  /**
   * Returns the beginning of a mark at the end of the text, because a mark may come in pieces. A
   * lone Escape is a key.
   */
  #findIncompleteSequence(text: string): string {
    const mark = this.#isPaste ? END : BEGIN;
    for (let length = mark.length - 1; length > (this.#isPaste ? 0 : 1); length--) {
      if (text.endsWith(mark.slice(0, length))) return mark.slice(0, length);
    }
    return "";
  }

  #marked(text: string): string {
    return text.replaceAll(this.#isPaste ? /\r\n|\r|\n/g : /\n/g, LINE_END_MARK);
  }
}
