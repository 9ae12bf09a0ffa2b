import * as why from "./unchecked.ts";

/** One simple command of a line: its words, its redirections and its text. */
export interface SimpleCommand {
  readonly text: string;
  /** The text without redirections. */
  readonly plain: string;
  readonly words: readonly string[];
  /** Files that it writes with `>` and `>>`, or reads with `<`. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** How many pipes come before it. */
  readonly pipe: number;
}
export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  /** Why it cannot be judged, in words for the person who is asked; undefined if it can. */
  readonly unchecked?: string;
  /** Why a person is asked although it can be judged. */
  readonly doubted?: string;
  /**
   * The line sets variables by assignments, loops or `read`. The shell's own variables are not
   * known here.
   */
  readonly assigns: boolean;
  readonly loops: boolean;
  /** The line contains `$HOME`, so the judged text differs from the written one. */
  readonly namesHome: boolean;
  /** It runs in parallel with the rest of the line (`&`). */
  readonly background: boolean;
  readonly pipes: boolean;
  /** A loop or a condition contains a pipe. */
  readonly pipesInside: boolean;
}

/** Characters that look like spaces or are invisible but are letters to Bash. */
const ODD_SPACE =
  /[\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}]/u;

/**
 * Parses a Bash line that is a list of simple commands, with loops and conditions around them. It
 * reports anything that it does not understand for certain, and a person decides about that.
 */
export function readShell(line: string): ShellLine {
  const read = new Reader(line).read();
  return ODD_SPACE.test(line) ? { ...read, unchecked: why.UNICODE_SPACE } : read;
}

/** Words that may stand before a command without changing its meaning. */
const leads = new Set("if then else elif while until do !".split(" "));
const opens = new Set("if while until for".split(" "));
/** Words that end a construct. */
const ends = new Set(["fi", "done"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
const declarers = new Set("export declare typeset readonly local".split(" "));

class Reader {
  readonly #line: string;
  readonly #commands: SimpleCommand[] = [];
  /** The constructs around the current command: `if`, `for`, … or `(`. */
  readonly #open: string[] = [];
  readonly #set = new Set<string>();
  /** Variables set by `export` and the like, which require a question themselves. */
  readonly #declared = new Set<string>();
  #unchecked: string | undefined;
  #doubted: string | undefined;
  #assigns = false;
  #loops = false;
  #namesHome = false;
  #background = false;
  #pipes = 0;
  #pipesInside = false;
  #at = 0;
  #start = 0;
  #words: string[] = [];
  #writes: string[] = [];
  #reads: string[] = [];
  #word: string | undefined;
  #target: "write" | "read" | "text" | undefined;
  /** The position of the current command's first redirection. */
  #redirection: number | undefined;
  /** Here-documents whose text begins after the current line. */
  #documents: string[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  read(): ShellLine {
    if (/^\s*;/.test(this.#line) || /(?:&&|\|\|)\s*$/.test(this.#line)) this.#say(why.INCOMPLETE);
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand(this.#line.length);
    if (this.#open.length > 0) this.#say(why.INCOMPLETE);
    const [unchecked, doubted] = [this.#unchecked, this.#doubted];
    return {
      commands: this.#commands,
      ...(unchecked === undefined ? {} : { unchecked }),
      ...(doubted === undefined ? {} : { doubted }),
      assigns: this.#assigns,
      loops: this.#loops,
      namesHome: this.#namesHome,
      background: this.#background,
      pipes: this.#pipes > 0,
      pipesInside: this.#pipesInside,
    };
  }

  /** Stores a reason. The first one is kept. */
  #say(reason: string | undefined): void {
    this.#unchecked ??= reason;
  }

  #step(): void {
    const rest = this.#line.slice(this.#at);
    const char = rest[0]!;
    const next = rest[1];
    if (char === "\\") this.#escape(next ?? "");
    else if (char === "'") this.#quoted();
    else if (char === '"') this.#doubleQuoted();
    else if (char === "`" || char === "$") this.#dollar(rest);
    else if (char === "(" || char === ")") this.#parenthesis(rest);
    else if (char === "#" && this.#word === undefined) this.#comment();
    else if (char === "[" && this.#isFirst() && /^\[\[\s/.test(rest)) this.#test();
    else if (char === ">" || char === "<" || (char === "&" && next === ">")) this.#redirect();
    else if (char === "&" && next === "&") this.#separate(2);
    else if (char === "|" && next === "|") this.#separate(2);
    else if (char === "|") this.#pipe(next === "&" ? 2 : 1);
    else if (char === ";" || char === "\n" || char === "&") this.#list(char);
    else if (char === " " || char === "\t" || char === "\r") {
      this.#endWord();
      this.#at++;
    } else {
      const braces = char === "{" ? /^\{[^\s{}'"]*\}/.exec(rest)?.[0] : undefined;
      if (braces?.includes(",")) this.#say(why.BRACE_EXPANSION);
      else if (braces?.includes("..")) this.#say(why.BRACE_PATTERN);
      this.#add(char);
    }
  }

  /**
   * Reads a backslash at the end of a line. After a space it continues the line; at the beginning
   * of a command it is not understood.
   */
  #escape(next: string): void {
    const goesOn = next === "\n" && this.#word === undefined && this.#at > this.#start;
    if (!goesOn) {
      if (/\s/.test(next)) this.#say(why.ESCAPED_SPACE);
      return this.#add(next, 2);
    }
    if (this.#words.length === 0) this.#words.push("\\");
    this.#at += 2;
  }

  #add(text: string, length = text.length): void {
    this.#word = (this.#word ?? "") + text;
    this.#at += length;
  }

  /** Whether the next word is the name of a command. */
  #isFirst(): boolean {
    return this.#word === undefined && this.#words.every((word) => leads.has(word));
  }

  #quoted(): void {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end < 0) this.#say(why.INCOMPLETE);
    const stop = end < 0 ? this.#line.length : end;
    const text = this.#line.slice(this.#at + 1, stop);
    this.#add(text, text.length + 2);
  }

  #doubleQuoted(): void {
    this.#add("", 1);
    while (this.#line[this.#at] !== '"') {
      const rest = this.#line.slice(this.#at);
      if (rest === "") return this.#say(why.INCOMPLETE); // The quote is not closed.
      if (rest[0] === "\\") this.#add(rest[1] ?? "", 2);
      else {
        if (rest[0] === "`" || rest.startsWith("$(")) this.#say(why.QUOTED);
        else if (rest[0] === "$") this.#variable(rest);
        this.#add(rest[0]!); // It may be a plain dollar sign.
      }
    }
    this.#at++;
  }

  /** Reads what follows `$` or stands between backticks, outside of quotes. */
  #dollar(rest: string): void {
    const sum = /^\$\(\(([^()]*)\)\)/.exec(rest);
    const nested = /^\$\(([^()'"`]*)\)/.exec(rest) ?? /^`([^`$'"]*)`/.exec(rest);
    const name = /[A-Za-z_]\w*/.exec(sum?.[1] ?? "")?.[0];
    if (sum) {
      if (name !== undefined) this.#say(why.whyCounted(name));
      this.#add(sum[0]);
    } else if (nested && this.#takesCommands()) {
      this.#readInside(nested[1] ?? "");
      this.#add(nested[0]);
    } else {
      if (rest[0] === "`" || rest.startsWith("$(")) this.#say(why.ARGUMENTS);
      else if (rest.startsWith("$'")) this.#say(why.ESCAPES);
      else if (!this.#variable(rest)) this.#say(why.SOMETHING);
      this.#add(rest[0]!);
    }
  }

  /**
   * Whether a list of a loop or the value of a variable may come from commands, which are then
   * judged, too.
   */
  #takesCommands(): boolean {
    if (this.#target !== undefined) return false;
    const words = this.#words.filter((word) => !leads.has(word));
    if (words[0] === "for") return words[2] === "in";
    return this.#words.length === 0 && ASSIGNMENT.test(this.#word ?? "");
  }

  #readInside(line: string): void {
    const inside = readShell(line);
    if (/[;&\n]/.test(line)) this.#say(why.SOMETHING);
    this.#say(inside.unchecked);
    this.#doubted ??= inside.doubted;
    this.#pipesInside ||= inside.pipes;
    if (inside.pipes) this.#pipes++;
    this.#commands.push(...inside.commands);
  }

  /** Reads a variable. Returns whether there was one. */
  #variable(rest: string): boolean {
    const name = /^\$(\w+)/.exec(rest)?.[1] ?? "";
    this.#namesHome ||= name === "HOME";
    if (rest.startsWith("${")) this.#say(why.BRACED_VARIABLE);
    else if (rest.startsWith("$[")) this.#say(why.whyCounted("$["));
    else if (name === "" && !/^\$[?$!#@*-]/.test(rest)) return false;
    else if (this.#declared.has(name)) return true;
    else if (this.#set.has(name)) this.#say(why.SET_VARIABLE);
    else if (name !== "HOME") this.#say(why.VARIABLE);
    else if (this.#target === "write") this.#say(why.REDIRECT_TARGET);
    return true;
  }

  #parenthesis(rest: string): void {
    if (rest[0] === ")") {
      this.#endCommand(this.#at);
      if (this.#open.pop() !== "(") this.#say(why.INCOMPLETE);
      this.#start = ++this.#at;
      return;
    }
    if (rest.startsWith("((")) {
      this.#say(this.#words.at(-1) === "for" ? why.COUNTING : why.GROUP);
    } else if (this.#word !== undefined || this.#words.length > 0) {
      if (!this.#isFirst()) this.#say(/^\(\s*\)/.test(rest) ? why.FUNCTION : why.INCOMPLETE);
    }
    this.#doubted ??= why.SUBSHELL;
    this.#openWords();
    this.#open.push("(");
    this.#word = undefined;
    this.#words = [];
    this.#start = ++this.#at;
  }

  #comment(): void {
    const end = this.#line.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#line.length : end;
  }

  /** Reads `[[ … ]]`, in which characters have other meanings. */
  #test(): void {
    const end = /\s\]\](?=[\s;&|)]|$)/.exec(this.#line.slice(this.#at));
    if (!end) this.#say(why.INCOMPLETE);
    const stop = end ? this.#at + end.index + end[0].length : this.#line.length;
    const text = this.#line.slice(this.#at, stop);
    for (const { index } of text.matchAll(/[$`]/g)) {
      if (/^(?:`|\$\()/.test(text.slice(index))) this.#say(why.ARGUMENTS);
      else this.#variable(text.slice(index));
    }
    this.#words.push("[[");
    this.#at = stop;
  }

  #redirect(): void {
    const found = /^(?:&>>?|>>|>\||>&|<<<|<<-?|<>|<&|>|<)/.exec(this.#line.slice(this.#at))!;
    const sign = found[0];
    // This is a redirection such as `2>`.
    const isNumbered = this.#word !== undefined && /^\d+$/.test(this.#word);
    this.#redirection ??= this.#at - (isNumbered ? (this.#word?.length ?? 0) : 0);
    if (isNumbered) this.#word = undefined;
    this.#endWord();
    this.#at += sign.length;
    const rest = this.#line.slice(this.#at);
    if (rest[0] === "(") this.#say(why.PROCESS);
    if (sign === "<<" || sign === "<<-") return this.#document(rest);
    const descriptor = /^(?:\d+|-)(?=[\s;&|<>)]|$)/.exec(rest);
    if ((sign === ">&" || sign === "<&") && descriptor) this.#at += descriptor[0].length;
    else this.#target = sign === "<<<" ? "text" : sign === "<" ? "read" : "write";
  }

  /** Reads a here-document. If its end word is quoted, it is plain text. */
  #document(rest: string): void {
    const quoted = /^\s*(?:'([^'\n]+)'|"([^"\n]+)"|\\(\w+))/.exec(rest);
    if (!quoted) return this.#say(why.whyExpanded(rest));
    this.#documents.push(quoted[1] ?? quoted[2] ?? quoted[3] ?? "");
    this.#at += quoted[0].length;
    const after = rest.slice(quoted[0].length).split("\n", 1)[0] ?? "";
    if (this.#writes.length > 0 || /[<>]/.test(after)) this.#say(why.FILE_REDIRECT);
  }

  #skipDocuments(): void {
    for (const end of this.#documents.splice(0)) {
      const lines = this.#line.slice(this.#at).split("\n");
      const last = lines.findIndex((line) => line.trim() === end);
      const taken = lines.slice(0, last < 0 ? lines.length : last + 1).join("\n");
      this.#at = Math.min(this.#line.length, this.#at + taken.length + 1);
    }
    this.#start = this.#at;
  }

  #separate(length: number): void {
    this.#endCommand(this.#at);
    this.#at += length;
    this.#start = this.#at;
  }

  #pipe(length: number): void {
    this.#separate(length);
    this.#pipes++;
    this.#pipesInside ||= this.#open.length > 0;
  }

  #list(sign: string): void {
    this.#separate(1);
    if (sign === "\n") this.#skipDocuments();
    if (sign === "&") this.#background = true;
    const isInside = this.#open.length > 0;
    if (this.#open.at(-1) === "(" || (sign === "&" && isInside)) this.#say(why.SOMETHING);
  }

  #endWord(): void {
    const word = this.#word;
    if (word === undefined) return;
    this.#word = undefined;
    if (this.#target === "write") {
      if (word.startsWith("~")) this.#doubted ??= why.EXPANDED;
      if (word !== "/dev/null") this.#writes.push(word);
    } else if (this.#target === "read") {
      if (word !== "/dev/null") this.#reads.push(word);
    } else if (this.#target !== "text") this.#words.push(word);
    this.#target = undefined;
  }

  /** Opens constructs that begin with the current words. */
  #openWords(): void {
    for (const word of this.#words) {
      if (opens.has(word)) this.#open.push(word);
      if (!leads.has(word)) return;
    }
  }

  #endCommand(end: number): void {
    this.#endWord();
    if (this.#target) this.#say(why.INCOMPLETE); // The redirection has no target.
    const { words, text, plain } = this.#withoutLeads(end);
    this.#openWords();
    this.#take(words, text, plain);
    this.#words = [];
    this.#writes = [];
    this.#reads = [];
    this.#target = undefined;
    this.#redirection = undefined;
  }

  #withoutLeads(end: number): { words: string[]; text: string; plain: string } {
    let words = this.#words;
    let text = this.#line.slice(this.#start, end).trim();
    let plain = this.#line.slice(this.#start, this.#redirection ?? end).trim();
    while (leads.has(words[0] ?? "")) {
      const { length } = words[0]!;
      [text, plain] = [text.slice(length).trim(), plain.slice(length).trim()];
      words = words.slice(1);
    }
    return { words, text, plain };
  }

  #take(words: string[], text: string, plain: string): void {
    const [name = "", second = ""] = words;
    const [writes, reads] = [this.#writes, this.#reads];
    if (ends.has(name)) {
      const closed = this.#open.pop();
      if (closed === undefined || closed === "(") this.#say(why.INCOMPLETE);
      else if (this.#redirection !== undefined) this.#say(why.redirected[closed]);
    } else if (name === "for") {
      this.#say(second === "" ? why.INCOMPLETE : why.whyLoopVariable(second));
      this.#loops = true;
    } else if (words.length > 0 && words.every((word) => ASSIGNMENT.test(word))) {
      this.#assign(words);
    } else if (words.length > 0 || writes.length > 0 || reads.length > 0) {
      this.#say(whyNotRead(name) ?? why.whyEvaluated(name));
      this.#loops ||= name === "read";
      if (declarers.has(name)) {
        for (const word of words) this.#declared.add(ASSIGNMENT.exec(word)?.[1] ?? "");
      }
      this.#commands.push({ text, plain, words, writes, reads, pipe: this.#pipes });
    }
  }

  #assign(words: readonly string[]): void {
    const names = words.map((word) => ASSIGNMENT.exec(word)?.[1] ?? "");
    this.#assigns = true;
    for (const name of names) {
      this.#say(why.whyAssigned(name));
      this.#set.add(name);
    }
    if (names.length > 1) this.#say(why.ASSIGNMENTS);
  }
}

/** Returns why a construct is not parsed. */
function whyNotRead(name: string): string | undefined {
  if (name === "case" || name === "esac") return why.CASE;
  if (name === "function") return why.FUNCTION;
  if (name === "select") return why.SELECT;
  if (name === "{" || name === "}") return why.GROUP;
  return name === "coproc" ? why.SOMETHING : undefined;
}
