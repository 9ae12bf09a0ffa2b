interface Opened {
  readonly end: string;
  /**
   * `$` and backticks are expanded in its text, because no character of its end word was quoted.
   */
  readonly expands: boolean;
  /** For `<<-`, leading tabs of its lines are ignored. */
  readonly isIndented: boolean;
}
interface HereDocument {
  readonly text: string;
  readonly expands: boolean;
  /** The position of the line after it. */
  readonly end: number;
}

/**
 * The here-documents of a line: `<<END` opens one, and its text begins after the end of the line.
 */
export class HereDocuments {
  #opened: Opened[] = [];

  get areOpen(): boolean {
    return this.#opened.length > 0;
  }

  /** Parses the word after `<<`. Returns its length, or undefined if it is ambiguous. */
  open(text: string, at: number, isIndented: boolean): number | undefined {
    const pattern = /[ \t]*((?:'[^']*'|"[^"]*"|\\[^]|[^\s;&|<>()'"\\])+)/y;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const word = found?.[1] ?? "";
    if (!found || /\$['"({]|`|"[^"]*\\/.test(word)) return undefined;
    const end = word
      .replaceAll("\\\n", "")
      .replace(/'([^']*)'|"([^"]*)"|\\([^])/g, (_, ...texts) => texts.slice(0, 3).join(""));
    this.#opened.push({ end, expands: !/['"\\]/.test(word), isIndented });
    return found[0].length;
  }

  /** Yields the texts of all open here-documents, the first of which begins at `at`. */
  *take(text: string, at: number): Generator<HereDocument> {
    const opened = this.#opened;
    this.#opened = [];
    let from = at;
    for (const { end, expands, isIndented } of opened) {
      const start = from;
      let stop = from;
      for (let isOver = false; !isOver && from < text.length;) {
        stop = from;
        const line = readLogicalLine(text, from, expands);
        from += line.length + 1;
        const joined = expands ? line.replaceAll("\\\n", "") : line;
        isOver = (isIndented ? joined.replace(/^\t+/, "") : joined) === end;
        if (!isOver) stop = from;
      }
      from = Math.min(from, text.length);
      yield { text: text.slice(start, stop), expands, end: from };
    }
  }
}

/**
 * Returns one line. In text that is expanded, a backslash at the end joins it with the next line.
 */
function readLogicalLine(text: string, from: number, joins: boolean): string {
  const pattern = joins ? /(?:\\[^]|[^\\\n])*/y : /[^\n]*/y;
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}
