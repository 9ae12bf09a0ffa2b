import { unescaped } from "./ansi-quotes.ts";
import { HereDocuments } from "./here-documents.ts";

/** The elements of a Bash line, in order. */
export type Token =
  | { readonly kind: "word"; readonly parts: readonly Part[] }
  /** The next word is the target of a redirection, a text for stdin, or irrelevant. */
  | { readonly kind: "redirect"; readonly to: "write" | "read" | "text" | "nothing" }
  /** The text of a here-document. */
  | { readonly kind: "document"; readonly text: string }
  /** A nested line: `$(…)`, backticks, `<(…)`. It comes before the word that contains it. */
  | { readonly kind: "script"; readonly tokens: readonly Token[] }
  /** The end of a command: `;`, `&`, `|`, brackets, or the end of the line. */
  | { readonly kind: "end" };
/** Text without its quotes, or a variable with its default value. */
export type Part = string | { readonly variable: string; readonly otherwise?: string };

/** Stands for the output of a command in a word. */
export const SUBSTITUTED = "$(…)";

interface Tokens {
  readonly tokens: readonly Token[];
  readonly doubt?: Doubt;
}
/**
 * Why a line may have been parsed differently from Bash: it is ambiguous, or something in it was
 * not closed.
 */
export type Doubt = "ambiguous" | "unread";

/** Splits a Bash line into words and operators. */
export function getTokens(line: string): Tokens {
  const reading: Reading = { doubt: undefined, steps: 1000 + 20 * line.length, depth: 0 };
  const scanner = new Scanner(line, 0, reading);
  scanner.readLine();
  const { doubt } = reading;
  return { tokens: scanner.tokens, ...(doubt && { doubt }) };
}

interface Reading {
  doubt: Doubt | undefined;
  /** How many more characters may be read. Nested brackets are read more than once. */
  steps: number;
  depth: number;
}
const MAX_DEPTH = 50;

const BLANK = /[ \t\r]/;
const REDIRECT = /&>>?|<<<|<<-?|<>|<&|>>|>\||>&|[<>]/y;
const VARIABLE = /\$([A-Za-z_]\w*|\d|[@*#?$!-])/y;
const IN_BRACES = /\$\{[!#]?([A-Za-z_]\w*|\d+|[@*#?$!-])?(?:\[[@*\w]+\])?/y;
const OTHERWISE = /:?[-=+?]/y;

class Scanner {
  readonly tokens: Token[] = [];
  readonly #text: string;
  readonly #reading: Reading;
  readonly #documents = new HereDocuments();
  #at: number;
  /** The word that is being read, and its text if no character in it was quoted. */
  #parts: Part[] | undefined;
  #plain: string | undefined;
  /** The last two words, to recognize `case WORD in`. */
  #last: (string | undefined)[] = [];
  #hasCase = false;
  /** Open brackets around the current command. */
  #open = 0;
  #isArray = false;

  constructor(text: string, at: number, reading: Reading) {
    this.#text = text;
    this.#at = at;
    this.#reading = reading;
  }

  readLine(): void {
    while (this.#at < this.#text.length) this.#step();
    if (this.#isArray) this.#doubt();
    this.#endCommand();
  }

  /** Reads up to the closing bracket and returns its position. */
  readInside(): number {
    const isEnd = () => this.#char() === ")" && this.#open === 0 && !this.#isArray;
    while (this.#at < this.#text.length && !isEnd()) this.#step();
    if (this.#at >= this.#text.length) this.#doubt("ambiguous");
    // The texts of the here-documents are elsewhere.
    if (this.#documents.areOpen) this.#doubt("ambiguous");
    // A bracket of a `case` pattern may have been taken for the end.
    if (this.#hasCase) this.#doubt();
    this.#endCommand();
    return this.#at + 1;
  }

  /** Reads text in which only `$` and backticks are special. */
  readText(): void {
    while (this.#at < this.#text.length) this.#quotedStep("");
  }

  #doubt(doubt: Doubt = "unread"): void {
    if (this.#reading.doubt !== "ambiguous") this.#reading.doubt = doubt;
  }

  /** The current character. Lines that take too long to read are not read to the end. */
  #char(ahead = 0): string {
    if (this.#reading.steps-- < 0) {
      this.#doubt();
      this.#at = this.#text.length;
    }
    return this.#text[this.#at + ahead] ?? "";
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #step(): void {
    const char = this.#char();
    const next = this.#text[this.#at + 1] ?? "";
    if (char === "\\") this.#escape(next);
    else if (char === "'") this.#quoted();
    else if (char === '"') this.#doubleQuoted();
    else if (char === "$" || char === "`") this.#expand(false);
    else if ((char === "<" || char === ">") && next === "(") this.#nested(2);
    else if (this.#isArray) this.#arrayStep(char);
    else if (char === "#" && this.#parts === undefined) this.#comment();
    else if (char === "<" || char === ">" || (char === "&" && next === ">")) this.#redirect();
    else if (char === "(") this.#bracket();
    else if (char === "[" && /^[A-Za-z_]\w*$/.test(this.#plain ?? "")) this.#subscript();
    else if (/[;&|\n)]/.test(char)) this.#separate(char);
    else if (BLANK.test(char)) {
      this.#endWord();
      this.#at++;
    } else this.#addPlain(char);
  }

  #add(part: Part, length: number): void {
    const parts = (this.#parts ??= []);
    const last = parts.at(-1);
    if (typeof last === "string" && typeof part === "string") parts[parts.length - 1] = last + part;
    else parts.push(part);
    this.#plain = undefined;
    this.#at += length;
  }

  #addPlain(char: string): void {
    const plain = this.#parts === undefined ? "" : this.#plain;
    this.#add(char, char.length);
    if (plain !== undefined) this.#plain = plain + char;
  }

  #escape(next: string): void {
    if (next === "\n") this.#at += 2;
    else this.#add(next, 2);
  }

  #quoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) this.#doubt();
    const text = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#add(text, text.length + 2);
  }

  #doubleQuoted(): void {
    this.#add("", 1);
    while (this.#at < this.#text.length && this.#char() !== '"') this.#quotedStep('"');
    if (this.#at >= this.#text.length) this.#doubt();
    this.#at++;
  }

  #quotedStep(quote: string): void {
    const char = this.#char();
    const next = this.#text[this.#at + 1] ?? "";
    if (char === "$" || char === "`") this.#expand(true);
    else if (char !== "\\") this.#add(char, 1);
    else if (next === "\n") this.#at += 2;
    else this.#add(`$\`\\${quote}`.includes(next) ? next : char + next, 2);
  }

  #expand(isQuoted: boolean): void {
    const ahead = this.#text.slice(this.#at, this.#at + 3);
    if (ahead.startsWith("`")) this.#backticks(isQuoted);
    else if (ahead === "$((" && this.#arithmetic(3)) return;
    else if (ahead.startsWith("$(")) this.#nested(2);
    else if (ahead.startsWith("${")) this.#braces(isQuoted);
    else if (ahead.startsWith("$'") && !isQuoted) this.#ansiQuoted();
    else if (ahead.startsWith('$"') && !isQuoted) this.#add("", 1);
    else {
      const found = this.#match(VARIABLE);
      this.#add(found ? { variable: found[1]! } : "$", found?.[0].length ?? 1);
    }
  }

  #ansiQuoted(): void {
    const found = this.#match(/\$'((?:\\[^]|[^'\\])*)(')?/y)!;
    if (found[2] === undefined) this.#doubt();
    this.#add(unescaped(found[1] ?? ""), found[0].length);
  }

  #backticks(isQuoted: boolean): void {
    const found = this.#match(/`((?:\\[^]|[^`\\])*)(`)?/y)!;
    if (found[2] === undefined) this.#doubt();
    const inside = (found[1] ?? "").replace(isQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
    this.#within(inside, 0, (scanner) => scanner.readLine());
    this.#add(SUBSTITUTED, found[0].length);
  }

  #nested(length: number): void {
    let end = this.#text.length;
    this.#within(this.#text, this.#at + length, (scanner) => (end = scanner.readInside()));
    const isFolder = /^\$\(\s*pwd\s*\)$/.test(this.#text.slice(this.#at, end));
    this.#add(isFolder ? { variable: "PWD" } : SUBSTITUTED, end - this.#at);
  }

  #within(text: string, at: number, read: (scanner: Scanner) => void): void {
    if (++this.#reading.depth > MAX_DEPTH) this.#doubt();
    else {
      const scanner = new Scanner(text, at, this.#reading);
      read(scanner);
      this.tokens.push({ kind: "script", tokens: scanner.tokens });
    }
    this.#reading.depth--;
  }

  /** Reads `${…}`. Shells differ in the meaning of quotes in it and of commands in a pattern. */
  #braces(isQuoted: boolean): void {
    const head = this.#match(IN_BRACES)!;
    const outer = this.#parts ?? [];
    const count = this.tokens.length;
    this.#at += head[0].length;
    const operator = this.#match(OTHERWISE)?.[0] ?? "";
    const isPattern = operator === "" && (isQuoted ? /[#%/^,[]/ : /[#%/^,]/).test(this.#char());
    this.#at += operator.length;
    this.#parts = [];
    for (let char = this.#char(); char !== "}" && char !== ""; char = this.#char()) {
      if (char === '"') this.#doubleQuoted();
      else if (char === "'") {
        const isText = isQuoted && operator !== "";
        if (isText && !this.#match(/'[^'}"$`\\]*'/y)) this.#doubt("ambiguous");
        this.#quoted();
      } else if (char === "$" || char === "`") this.#expand(isQuoted);
      else this.#quotedStep("}'\"");
    }
    if (this.#at >= this.#text.length) this.#doubt();
    if (isPattern && this.tokens.length > count) this.#doubt("ambiguous");
    const inside = this.#parts.filter((part) => typeof part === "string").join("");
    this.#parts = outer;
    const variable = head[1] ?? "";
    // Otherwise nothing would run.
    const otherwise = operator.endsWith("?") ? `${head[0]}:?}` : inside;
    this.#add({ variable, ...(operator === "" ? {} : { otherwise }) }, 1);
  }

  /**
   * Reads `((…))`, which is arithmetic if the two closing brackets are adjacent, and otherwise a
   * nested subshell.
   */
  #arithmetic(length: number): boolean {
    const [at, parts, plain, count] = [this.#at, this.#parts, this.#plain, this.tokens.length];
    this.#parts = [];
    this.#at += length;
    for (let depth = 1; depth > 0 && this.#at < this.#text.length;) {
      const char = this.#char();
      if (char === "(") depth++;
      if (char === ")") depth--;
      if (char === "'") this.#doubt("ambiguous");
      this.#quotedStep("");
    }
    this.#parts = parts;
    if (this.#char() === ")") {
      this.#add("0", 1);
      return true;
    }
    [this.#at, this.#plain] = [at, plain];
    this.tokens.length = count;
    return false;
  }

  #bracket(): void {
    if (/^[A-Za-z_]\w*\+?=$/.test(this.#plain ?? "")) {
      this.#isArray = true;
      this.#at++;
    } else if (this.#text[this.#at + 1] !== "(" || !this.#arithmetic(2)) this.#separate("(");
  }

  /** Reads one character inside `NAME=(…)`, where spaces separate the elements of one value. */
  #arrayStep(char: string): void {
    const isApart = /[\s(]$/.test(this.#text.slice(this.#at - 1, this.#at));
    if (char === "#" && isApart) this.#comment();
    else if (char === ")") {
      this.#isArray = false;
      this.#add("", 1);
    } else this.#add(/\s/.test(char) ? " " : char, 1);
  }

  /** Reads `NAME[a b]=…`, which is one word. */
  #subscript(): void {
    const found = this.#match(/\[(?:[^\]\\'"`$;&|<>()\n]|"[^"\\`$]*"|\$\w+)*\](?=\+?=)/y);
    this.#addPlain(found?.[0] ?? "[");
  }

  #comment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #redirect(): void {
    const sign = this.#match(REDIRECT)![0];
    if (/^(?:\d+|\{\w+\})$/.test(this.#plain ?? "")) this.#dropWord(); // `2>`, `{fd}>`
    this.#endWord();
    this.#at += sign.length;
    if (sign === "<<" || sign === "<<-") {
      const length = this.#documents.open(this.#text, this.#at, sign === "<<-");
      if (length === undefined) this.#doubt();
      this.#at += length ?? 0;
      return;
    }
    const isCopy = /^[<>]&$/.test(sign) && /[\d-]/.test(this.#char());
    const to = sign.startsWith("<") ? "read" : "write";
    this.tokens.push({ kind: "redirect", to: isCopy ? "nothing" : sign === "<<<" ? "text" : to });
  }

  #separate(char: string): void {
    this.#endCommand();
    this.#at++;
    if (char === "(") this.#open++;
    if (char === ")") this.#open--;
    if (char === "\n") this.#takeDocuments();
  }

  #takeDocuments(): void {
    for (const { text, expands, end } of this.#documents.take(this.#text, this.#at)) {
      this.#at = end;
      if (expands) {
        const scanner = new Scanner(text, 0, this.#reading);
        scanner.readText();
        this.tokens.push(...scanner.tokens);
      }
      this.tokens.push({ kind: "document", text });
    }
  }

  #dropWord(): void {
    this.#parts = undefined;
    this.#plain = undefined;
  }

  #endWord(): void {
    if (this.#parts === undefined) return;
    this.tokens.push({ kind: "word", parts: this.#parts });
    this.#hasCase ||= this.#plain === "in" && this.#last[0] === "case";
    this.#last = [this.#last[1], this.#plain];
    this.#dropWord();
  }

  #endCommand(): void {
    this.#endWord();
    this.tokens.push({ kind: "end" });
  }
}
