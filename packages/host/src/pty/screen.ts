// Both are CommonJS packages: Node finds their exports on the default import alone.
// oxlint-disable import/default, import/no-named-as-default-member
import type { Terminal as HeadlessTerminal } from "@xterm/headless";
import headless from "@xterm/headless";
import serialize from "@xterm/addon-serialize";

/** The lines of scroll-back that a terminal keeps. */
export const SCROLLBACK_LINES = 10_000;
/** The largest snapshot, in UTF-16 units. A larger one is made again with fewer lines of scroll-back. */
const MAX_SNAPSHOT = 1024 * 1024;

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** The largest size that a viewer can set; a program that is told of millions of columns would allocate them. */
const MAX_COLS = 500;
const MAX_ROWS = 300;

export function limitSize({ cols, rows }: TerminalSize): TerminalSize {
  const limit = (value: number, max: number) =>
    Math.max(2, Math.min(max, Math.trunc(Number.isFinite(value) ? value : 80)));
  return { cols: limit(cols, MAX_COLS), rows: limit(rows, MAX_ROWS) };
}

/**
 * A terminal without a face: it knows what a person would see, answers the program's queries in the place of
 * all viewers, and writes down the whole screen for a viewer who comes late.
 */
export class Screen {
  readonly #terminal: HeadlessTerminal;
  readonly #serializer = new serialize.SerializeAddon();

  /** `onAnswer` gets what the terminal answers to the program's queries. */
  constructor(size: TerminalSize, onAnswer: (text: string) => void) {
    this.#terminal = new headless.Terminal({
      ...limitSize(size),
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
      logLevel: "off", // output that is no terminal language is the program's business
    });
    this.#terminal.loadAddon(this.#serializer);
    this.#terminal.onData(onAnswer);
  }

  get size(): TerminalSize {
    const { cols, rows } = this.#terminal;
    return { cols, rows };
  }

  /** Whether the program wants pasted text to be marked as such. */
  get wantsMarkedPastes(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** Interprets output. `onDone` is called when the screen shows it, in the order of the calls. */
  write(output: string, onDone: () => void): void {
    this.#terminal.write(output, onDone);
  }

  resize(size: TerminalSize): void {
    const { cols, rows } = limitSize(size);
    this.#terminal.resize(cols, rows);
  }

  /** The output that draws the screen again on an empty terminal of the same size, with scroll-back and modes. */
  snapshot(): string {
    for (let lines = SCROLLBACK_LINES; lines > 0; lines = Math.floor(lines / 2)) {
      const text = this.#serializer.serialize({ scrollback: lines });
      if (text.length <= MAX_SNAPSHOT) return text;
    }
    return this.#serializer.serialize({ scrollback: 0 });
  }

  /** The text of the visible rows, without colors, for the detection of what a program shows. */
  visibleText(): string {
    const buffer = this.#terminal.buffer.active;
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) =>
      buffer.getLine(buffer.baseY + row)?.translateToString(true),
    );
    return rows.join("\n").trimEnd();
  }

  /** The same without what is printed dim or inverse, such as suggestions and cursors that a program draws. */
  brightText(): string {
    const buffer = this.#terminal.buffer.active;
    const cell = buffer.getNullCell();
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) => {
      const line = buffer.getLine(buffer.baseY + row);
      let text = "";
      const columns = line?.length ?? 0;
      for (let column = 0; column < columns; column += 1) {
        line?.getCell(column, cell);
        const isShown = cell.isDim() === 0 && cell.isInverse() === 0;
        if (cell.getWidth() > 0) text += isShown ? cell.getChars() || " " : " ";
      }
      return text.trimEnd();
    });
    return rows.join("\n").trimEnd();
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
