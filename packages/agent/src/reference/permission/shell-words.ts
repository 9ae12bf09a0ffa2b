/** One simple command of a line: its words, where its output goes, its text. */
export interface SimpleCommand {
  readonly text: string;
  readonly words: readonly string[];
  /** Files that it writes by `>` and `>>`, or reads by `<`. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}
export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  /** Runs something that cannot be seen from here: `$(…)`, backticks, `<(…)`, here-documents, groups. */
  readonly nested: boolean;
  /** Has variables or patterns that only the shell can tell the meaning of. */
  readonly expands: boolean;
  /** Has variables whose values are not known from here: all but `$HOME`. */
  readonly variable: boolean;
}

/** Takes a line of Bash apart, as far as it is a list of simple commands. Whatever is not understood
 * for certain is reported as nested: nobody decides about it without a person. */
export function readShell(line: string): ShellLine {
  const reader = new Reader(line);
  reader.run();
  const { commands, nested, expands, variable } = reader;
  return { commands, nested, expands, variable };
}

/** Words that stand before a command and change nothing about what it does. */
const leads = new Set("if then else elif while until do !".split(" "));
/** Words that end a construct. */
const ends = new Set(["fi", "done"]);
/** Constructs that are not taken apart. */
const unread = new Set("case esac function select coproc { } [[ ]]".split(" "));

class Reader {
  readonly commands: SimpleCommand[] = [];
  nested = false;
  expands = false;
  variable = false;
  readonly #line: string;
  #at = 0;
  #start = 0;
  #words: string[] = [];
  #writes: string[] = [];
  #reads: string[] = [];
  #word: string | undefined;
  #target: "write" | "read" | "none" | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  run(): void {
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand(this.#line.length);
  }

  #step(): void {
    const char = this.#line[this.#at]!;
    const next = this.#line[this.#at + 1];
    if (char === "\\") {
      if (next !== "\n") this.#add(next ?? "");
      this.#at += 2;
    } else if (char === "'") this.#quoted();
    else if (char === '"') this.#doubleQuoted();
    else if (char === "`" || (char === "$" && (next === "(" || next === "{" || next === "'"))) {
      this.#flagNested();
    } else if (char === "$") {
      this.#flagVariable();
      this.#add(char);
      this.#at++;
    } else if (char === "(" || char === ")") this.#flagNested();
    else if (char === "#" && this.#word === undefined) this.#comment();
    else if (char === ">" || char === "<" || (char === "&" && next === ">")) this.#redirect();
    else if (char === "&" && next === "&") this.#separate(2);
    else if (char === "|") this.#separate(next === "|" || next === "&" ? 2 : 1);
    else if (char === ";" || char === "\n" || char === "&") this.#separate(1);
    else if (char === " " || char === "\t" || char === "\r") {
      this.#endWord();
      this.#at++;
    } else {
      if ("*?[{~".includes(char)) this.expands ||= char !== "~";
      this.#add(char);
      this.#at++;
    }
  }

  #flagVariable(): void {
    this.expands = true;
    this.variable ||= !/^\$HOME\b/.test(this.#line.slice(this.#at, this.#at + 6));
  }

  #flagNested(): void {
    this.nested = true;
    this.#add(this.#line[this.#at]!);
    this.#at++;
  }

  #quoted(): void {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end < 0) this.nested = true;
    const stop = end < 0 ? this.#line.length : end;
    this.#add(this.#line.slice(this.#at + 1, stop));
    this.#at = stop + 1;
  }

  #doubleQuoted(): void {
    this.#add("");
    for (this.#at++; this.#line[this.#at] !== '"'; this.#at++) {
      const char = this.#line[this.#at];
      if (char === undefined) {
        this.nested = true; // never closed
        return;
      }
      if (char === "\\") this.#add(this.#line[++this.#at] ?? "");
      else {
        if (char === "`") this.nested = true;
        if (char === "$") {
          if ("({".includes(this.#line[this.#at + 1] ?? "")) this.nested = true;
          this.#flagVariable();
        }
        this.#add(char);
      }
    }
    this.#at++;
  }

  #comment(): void {
    const end = this.#line.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#line.length : end;
  }

  #redirect(): void {
    const found = /^(?:&>>?|>>|>\||>&|<<<|<<-?|<>|<&|>|<)/.exec(this.#line.slice(this.#at))!;
    const sign = found[0];
    if (this.#word !== undefined && /^\d+$/.test(this.#word)) this.#word = undefined; // 2>
    this.#endWord();
    this.#at += sign.length;
    if (sign.startsWith("<<") || this.#line[this.#at] === "(") {
      this.nested = true; // a here-document or a process
      return;
    }
    const descriptor = /^(?:\d+|-)(?=[\s;&|<>)]|$)/.exec(this.#line.slice(this.#at));
    if ((sign === ">&" || sign === "<&") && descriptor) {
      this.#at += descriptor[0].length;
      return;
    }
    this.#target = sign === "<" ? "read" : "write";
  }

  #separate(length: number): void {
    this.#endCommand(this.#at);
    this.#at += length;
    this.#start = this.#at;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #endWord(): void {
    const word = this.#word;
    if (word === undefined) return;
    this.#word = undefined;
    if (this.#target === "write") {
      if (word !== "/dev/null") this.#writes.push(word);
    } else if (this.#target === "read") this.#reads.push(word);
    else this.#words.push(word);
    this.#target = undefined;
  }

  #endCommand(end: number): void {
    this.#endWord();
    if (this.#target) this.nested = true; // a redirection to nowhere
    let text = this.#line.slice(this.#start, end).trim();
    let words = this.#words;
    while (leads.has(words[0] ?? "")) {
      text = text.slice(words[0]!.length).trim();
      words = words.slice(1);
    }
    if (ends.has(words[0] ?? "") && words.length === 1) words = [];
    if (words[0] === "for") words = []; // its variable is one that only the shell can tell
    if (words.length > 0 || this.#writes.length > 0 || this.#reads.length > 0) {
      if (unread.has(words[0] ?? "")) this.nested = true;
      this.commands.push({ text, words, writes: this.#writes, reads: this.#reads });
    }
    this.#words = [];
    this.#writes = [];
    this.#reads = [];
    this.#target = undefined;
  }
}
