/** A command that a line may come to run: its words without quotes, and the files of its redirections. */
export interface PossibleCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/**
 * Everything that a line of Bash may run, wherever it stands: in brackets, braces, functions, quotes,
 * backticks, `$(…)`, behind `timeout`, `env` and the like, in `bash -c`. It is made for rules that
 * deny: whatever might be a command counts as one.
 */
export function everyCommand(line: string, depth = 0): PossibleCommand[] {
  if (depth > MAX_DEPTH) return [];
  const found = new Lexer(line, depth).read();
  return found.flatMap((command) => [command, ...runBy(command, depth)]);
}

const MAX_DEPTH = 8;
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([^]*)$/;
/** Words that stand before a command. */
const leads = new Set("{ } ! if then else elif while until do function coproc time".split(" "));

class Lexer {
  readonly #line: string;
  readonly #depth: number;
  readonly #found: PossibleCommand[] = [];
  readonly #values = new Map<string, string>();
  #at = 0;
  #words: string[] = [];
  #writes: string[] = [];
  #reads: string[] = [];
  #word: string | undefined;
  #target: string[] | undefined;

  constructor(line: string, depth: number) {
    this.#line = line;
    this.#depth = depth;
  }

  read(): PossibleCommand[] {
    while (this.#at < this.#line.length) this.#step();
    this.#endCommand();
    return this.#found;
  }

  #step(): void {
    const rest = this.#line.slice(this.#at);
    const char = rest[0]!;
    if (rest.startsWith("\\\n")) this.#at += 2;
    else if (char === "\\") this.#add(rest[1] ?? "", 2);
    else if (char === "'") this.#until("'", 1);
    else if (char === '"') this.#doubleQuoted();
    else if (char === "`" || char === "$") this.#dollar(rest);
    else if (char === "#" && this.#word === undefined) this.#at += rest.split("\n", 1)[0]!.length;
    else if (char === "<" || char === ">" || rest.startsWith("&>")) this.#redirect(rest);
    else if (/[;&|\n()]/.test(char)) {
      this.#endCommand();
      this.#at++;
    } else if (/\s/.test(char)) {
      this.#endWord();
      this.#at++;
    } else this.#add(char);
  }

  #add(text: string, length = text.length): void {
    this.#word = (this.#word ?? "") + text;
    this.#at += length;
  }

  #until(end: string, skip: number): void {
    const from = this.#at + skip;
    const stop = this.#line.indexOf(end, from);
    const text = this.#line.slice(from, stop < 0 ? undefined : stop);
    this.#add(text, skip + text.length + 1);
  }

  #doubleQuoted(): void {
    this.#add("", 1);
    while (this.#at < this.#line.length && this.#line[this.#at] !== '"') {
      const rest = this.#line.slice(this.#at);
      if (rest.startsWith("\\\n")) this.#at += 2;
      else if (/^\\[$`"\\]/.test(rest)) this.#add(rest[1]!, 2);
      else if (rest[0] === "`" || rest[0] === "$") this.#dollar(rest);
      else this.#add(rest[0]!);
    }
    this.#at++;
  }

  /** `$(…)`, backticks, `$'…'`, and variables whose values the line itself sets. */
  #dollar(rest: string): void {
    const name = /^\$(?:(\w+)|\{(\w+)\})/.exec(rest);
    if (rest[0] === "`") this.#nested(/^`((?:\\[^]|[^`\\])*)`?/.exec(rest)?.[1] ?? "", 2);
    else if (rest.startsWith("$(")) this.#nested(insideBrackets(rest.slice(2)), 3);
    else if (rest.startsWith("$'")) {
      const quoted = /^\$'((?:\\[^]|[^'\\])*)'?/.exec(rest)!;
      this.#add(unescaped(quoted[1] ?? ""), quoted[0].length);
    } else if (name) {
      const value = this.#values.get(name[1] ?? name[2] ?? "");
      this.#add(value ?? name[0], name[0].length);
    } else this.#add("$");
  }

  #nested(inside: string, signs: number): void {
    this.#found.push(...everyCommand(inside, this.#depth + 1));
    this.#add("$", inside.length + signs);
  }

  #redirect(rest: string): void {
    const sign = /^&?[<>]+[&|]?/.exec(rest)![0];
    if (/^\d+$/.test(this.#word ?? "")) this.#word = undefined;
    this.#endWord();
    this.#at += sign.length;
    if (rest[sign.length] === "(") return; // a process: its brackets end the command
    this.#target = sign.startsWith("<<") ? [] : sign.startsWith("<") ? this.#reads : this.#writes;
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    (this.#target ?? this.#words).push(this.#word);
    this.#target = undefined;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    let words = this.#words;
    while (leads.has(words[0] ?? "") || ASSIGNMENT.test(words[0] ?? "")) {
      const [, name, value] = ASSIGNMENT.exec(words[0] ?? "") ?? [];
      if (name !== undefined) this.#values.set(name, value ?? "");
      words = words.slice(1);
    }
    const [writes, reads] = [this.#writes, this.#reads];
    if (words.length + writes.length + reads.length > 0) this.#found.push({ words, writes, reads });
    [this.#words, this.#writes, this.#reads] = [[], [], []];
    this.#target = undefined;
  }
}

/** Up to the bracket that closes; quotes may hold others. */
function insideBrackets(text: string): string {
  let depth = 1;
  for (const { 0: part, index } of text.matchAll(/\\[^]|'[^']*'|[()]/g)) {
    if (part === "(") depth++;
    if (part === ")" && --depth === 0) return text.slice(0, index);
  }
  return text;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{1,2})|([0-7]{1,3})|([^]))/gi, (_, hex, octal, char) =>
    hex || octal ? String.fromCharCode(parseInt(hex ?? octal, hex ? 16 : 8)) : char,
  );
}

/** Programs that run what follows, and those of their options that take the next word. */
const runners: Readonly<Record<string, RegExp>> = {
  timeout: /^-[ks]$/,
  nice: /^-n$/,
  ionice: /^-[cn]$/,
  env: /^-[uC]$/,
  stdbuf: /^-[ioe]$/,
  xargs: /^-[IEnPLdsa]$/,
  sudo: /^-[ughpCDRT]$/,
  doas: /^-[uC]$/,
  exec: /^-a$/,
  watch: /^-n$/,
  strace: /^-[oe]$/,
  time: /^-[fo]$/,
  nohup: /^$/,
  setsid: /^$/,
  command: /^$/,
  builtin: /^$/,
  busybox: /^$/,
};
const shells = /^(ba|z|da|k)?sh$/;

/** What a command runs in its turn. */
function runBy({ words }: PossibleCommand, depth: number): PossibleCommand[] {
  const [path = "", ...rest] = words;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const again = (inner: readonly string[]): PossibleCommand[] => {
    if (inner.length === 0 || depth > MAX_DEPTH) return [];
    const command = { words: inner, writes: [], reads: [] };
    return [command, ...runBy(command, depth + 1)];
  };
  const bare = name === path ? [] : again([name, ...rest]);
  if (name === "eval") return everyCommand(rest.join(" "), depth + 1);
  if (shells.test(name)) {
    const script = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
    return script < 0 ? bare : [...bare, ...everyCommand(rest[script + 1] ?? "", depth + 1)];
  }
  if (name === "find") {
    const at = rest.findIndex((word) => /^-(exec|execdir|ok|okdir)$/.test(word));
    return at < 0 ? bare : [...bare, ...again(rest.slice(at + 1))];
  }
  const valued = runners[name];
  return valued ? [...bare, ...again(afterOptions(name, rest, valued))] : bare;
}

function afterOptions(name: string, words: readonly string[], valued: RegExp): readonly string[] {
  let at = 0;
  while (at < words.length && (words[at]!.startsWith("-") || ASSIGNMENT.test(words[at]!))) {
    at += valued.test(words[at]!) ? 2 : 1;
  }
  return words.slice(name === "timeout" ? at + 1 : at);
}
