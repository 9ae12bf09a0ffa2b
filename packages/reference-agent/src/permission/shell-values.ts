import type { Part } from "./shell-tokens.ts";

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+)?=([^]*)$/;
const declarers = new Set("export declare typeset readonly local".split(" "));
const loops = new Set(["for", "select"]);
const MAX_VALUES = 100;

/** The values that a line assigns to variables. All of them count, because any branch may run. */
export class ShellValues {
  readonly #values: Map<string, string[]>;

  constructor(values: Iterable<[string, string[]]> = []) {
    this.#values = new Map(values);
  }

  /** Returns the values for a line that a shell gets with `-c`, with its arguments. */
  withArguments(args: readonly string[]): ShellValues {
    const values = new ShellValues(this.#values);
    const all = args.slice(1).join(" ");
    for (const name of ["@", "*"]) values.#values.set(name, [all]);
    for (const [index, text] of args.entries()) values.#values.set(String(index), [text]);
    return values;
  }

  /** Handles `NAME=value`. Returns whether the word was an assignment. */
  assign(word: string): boolean {
    const [, name, adds, value = ""] = ASSIGNMENT.exec(word) ?? [];
    if (name === undefined) return false;
    const before = this.#values.get(name)?.at(-1) ?? "";
    this.#add(name, adds === undefined ? value : before + value);
    return true;
  }

  /** Handles `export NAME=value` and `for NAME in …`. */
  declare([first = "", ...rest]: readonly string[]): void {
    if (declarers.has(first)) for (const word of rest) this.assign(word);
    if (loops.has(first) && rest[1] === "in") {
      for (const word of rest.slice(2)) this.#add(rest[0]!, word);
    }
  }

  /** Returns the largest number of values of the variables in a command; one if there are none. */
  choices(parts: readonly Part[]): number {
    const counts = parts.map((part) => (typeof part === "string" ? 1 : this.#of(part).length));
    return Math.max(1, ...counts);
  }

  expand(parts: readonly Part[], choice: number): string {
    return parts
      .map((part) => {
        if (typeof part === "string") return part;
        const values = this.#of(part);
        return values[Math.min(choice, values.length - 1)]!;
      })
      .join("");
  }

  #of({ variable, otherwise }: Exclude<Part, string>): readonly string[] {
    const values = this.#values.get(variable) ?? [];
    if (otherwise !== undefined) return [...values, otherwise];
    return values.length > 0 ? values : [`$${variable}`];
  }

  #add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    this.#values.set(name, [...values, value].slice(-MAX_VALUES));
  }
}
