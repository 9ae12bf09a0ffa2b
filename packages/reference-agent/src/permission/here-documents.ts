interface Opened {
  readonly end: string;
  /** `$` and backticks mean something in its text, because no sign of its end word was quoted. */
  readonly expands: boolean;
  /** `<<-`: tabs before its lines do not count. */
  readonly isIndented: boolean;
}
interface HereDocument {
  readonly text: string;
  readonly expands: boolean;
  /** Where the line after it begins. */
  readonly end: number;
}

/** Here-documents of a line: named by `<<END`, their texts follow at the line's end. */
export class HereDocuments {
  #opened: Opened[] = [];

  get areOpen(): boolean {
    return this.#opened.length > 0;
  }

  /** Reads the word after `<<`; says how long it is, or undefined where it has more than one reading. */
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

  /** The texts of all that were opened, the first of which begins at `at`. */
  *take(text: string, at: number): Generator<HereDocument> {
    const opened = this.#opened;
    this.#opened = [];
    let from = at;
    for (const { end, expands, isIndented } of opened) {
      const start = from;
      let stop = from;
      for (let isOver = false; !isOver && from < text.length;) {
        stop = from;
        const line = lineAt(text, from, expands);
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

/** One line; where text expands, a backslash at its end joins it with the next. */
function lineAt(text: string, from: number, joins: boolean): string {
  const pattern = joins ? /(?:\\[^]|[^\\\n])*/y : /[^\n]*/y;
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}
