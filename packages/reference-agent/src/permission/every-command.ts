import { isShell, runBy } from "./runners.ts";
import { type Doubt, type Part, type Token, getTokens } from "./shell-tokens.ts";
import { ShellValues } from "./shell-values.ts";

/** A command that a line may run: its words without quotes, and the files of its redirections. */
export interface PossibleCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /**
   * Whether Claude Code's own first check finds it, without other programs and options before it.
   */
  readonly isPlain: boolean;
}
export interface EveryCommand {
  readonly commands: readonly PossibleCommand[];
  /**
   * Undefined if nothing could be overlooked because of the line's syntax. Names that only exist at
   * run time are not known here.
   */
  readonly doubt?: Doubt;
}

/**
 * Finds everything that a Bash line may run: in brackets, braces, functions, quotes, backticks and
 * `$(…)`, behind `timeout`, `env` and the like, and in `bash -c`. It is made for rules that deny,
 * so anything that might be a command counts as one.
 */
export function everyCommand(line: string): EveryCommand {
  const found: CollectedCommands = { commands: [], doubt: undefined };
  new Reader(found, new ShellValues(), 0).line(line);
  const { commands, doubt } = found;
  return { commands, ...(doubt && { doubt }) };
}

interface CollectedCommands {
  readonly commands: PossibleCommand[];
  doubt: Doubt | undefined;
}
const MAX_DEPTH = 20;
const MAX_COMMANDS = 20_000;

type Rest = Omit<PossibleCommand, "words">;
/** Words that may stand before a command. */
const leads = new Set("{ } ! if then else elif while until do coproc".split(" "));
const named = new Set(["function", "coproc"]);

class Reader {
  readonly #found: CollectedCommands;
  readonly #values: ShellValues;
  readonly #depth: number;

  constructor(found: CollectedCommands, values: ShellValues, depth: number) {
    this.#found = found;
    this.#values = values;
    this.#depth = depth;
  }

  line(line: string): void {
    const { tokens, doubt } = getTokens(line);
    this.#found.doubt ??= doubt;
    this.#read(tokens);
  }

  #read(tokens: readonly Token[]): void {
    const first = this.#found.commands.length;
    const handed: string[] = [];
    let command = new OpenCommand();
    for (const token of tokens) {
      if (token.kind === "script") this.#read(token.tokens);
      else if (token.kind === "document") handed.push(token.text);
      else if (token.kind === "redirect") command.target = token.to;
      else if (token.kind === "word") command.add(token.parts);
      else {
        handed.push(...command.texts.map((parts) => this.#values.expand(parts, 0)));
        this.#take(command);
        command = new OpenCommand();
      }
    }
    // Text that is passed to a shell is a line for it, wherever that shell is in the line.
    const runsText = this.#found.commands.slice(first).some(({ words }) => isShell(words));
    if (runsText) for (const text of handed) this.#readNested((reader) => reader.line(text));
  }

  #readNested(read: (reader: Reader) => void, args?: readonly string[]): void {
    if (this.#depth >= MAX_DEPTH) this.#found.doubt ??= "unread";
    else {
      const values = args ? this.#values.withArguments(args) : this.#values;
      read(new Reader(this.#found, values, this.#depth + 1));
    }
  }

  /** Adds a command with each of the values that the line assigns to its variables. */
  #take({ words, writes, reads }: OpenCommand): void {
    const count = this.#values.choices([...words, ...writes, ...reads].flat());
    for (let choice = 0; choice < count; choice++) {
      const text = (parts: readonly Part[]) => this.#values.expand(parts, choice);
      const isPlain = this.#depth === 0;
      const rest = { writes: writes.map(text), reads: reads.map(text), isPlain };
      this.#run(words.map(text), rest, new Set());
    }
  }

  /**
   * Adds the commands behind a command. `seen` contains those that were already found behind it,
   * because there may be several ways to them.
   */
  #run(given: readonly string[], rest: Rest, seen: Set<string>): void {
    const words = this.#withoutLeads(given);
    if (words.length + rest.writes.length + rest.reads.length === 0) return;
    const key = JSON.stringify(words);
    if (seen.has(key)) return;
    seen.add(key);
    if (this.#found.commands.push({ words, ...rest }) > MAX_COMMANDS) {
      this.#found.doubt ??= "unread";
      return;
    }
    this.#values.declare(words);
    const behind = (isPlain: boolean) => ({
      writes: [],
      reads: [],
      isPlain: rest.isPlain && isPlain,
    });
    // The value of a variable may contain several words.
    const isSeveral = /\s/.test(words[0] ?? "");
    if (isSeveral) this.#run(words.join(" ").trim().split(/\s+/), behind(false), seen);
    for (const run of runBy(words)) {
      if ("line" in run) this.#readNested((reader) => reader.line(run.line), run.args);
      else this.#readNested((reader) => reader.#run(run.words, behind(run.isPlain), seen));
    }
  }

  #withoutLeads(given: readonly string[]): readonly string[] {
    let words = given;
    for (;;) {
      const [first = "", second = "", third = ""] = words;
      const isNamed = named.has(first) && (first === "function" || leads.has(third));
      if (isNamed && second !== "") words = words.slice(2);
      else if (leads.has(first) || this.#values.assign(first)) words = words.slice(1);
      else return words;
    }
  }
}

/** A command that is being parsed. */
class OpenCommand {
  readonly words: (readonly Part[])[] = [];
  readonly writes: (readonly Part[])[] = [];
  readonly reads: (readonly Part[])[] = [];
  /** Texts passed to it with `<<<`. */
  readonly texts: (readonly Part[])[] = [];
  target: "write" | "read" | "text" | "nothing" | undefined;

  add(parts: readonly Part[]): void {
    if (this.target === undefined) this.words.push(parts);
    if (this.target === "write") this.writes.push(parts);
    if (this.target === "read") this.reads.push(parts);
    if (this.target === "text") this.texts.push(parts);
    this.target = undefined;
  }
}
