import { type Flag, type FlagName, flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

/** The parsed command line: the words that belong to no flag, and the values of each flag. */
export interface ParsedArguments {
  readonly words: readonly string[];
  readonly given: ReadonlyMap<FlagName, readonly string[]>;
}

const byName = new Map<string, [FlagName, Flag]>();
for (const [name, flag] of Object.entries(flags)) {
  for (const spelling of flag.names) byName.set(spelling, [name as FlagName, flag]);
}

export function parseArguments(whole: readonly string[]): ParsedArguments {
  const words: string[] = [];
  const given = new Map<FlagName, string[]>();
  const argv = splitShortFlags(whole);
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const spelling = equals === -1 ? word : word.slice(0, equals);
    const found = byName.get(spelling);
    if (!found) throw new UsageError(`error: unknown option '${spelling}'`);
    const [name, flag] = found;
    if (equals !== -1 && flag.value === undefined) {
      throw new UsageError(`error: unknown option '${word}'`);
    }
    const values = given.get(name) ?? [];
    given.set(name, values);
    if (flag.value === undefined) continue;
    if (equals !== -1) {
      values.push(checked(flag, word.slice(equals + 1)));
      continue;
    }
    const next = argv[at + 1];
    const takesNext = next !== undefined && (!looksLikeFlag(next) || flag.takes === undefined);
    if (!takesNext) {
      if (flag.takes === "optional") continue;
      throw new UsageError(`error: option '${formatFlag(flag)}' argument missing`);
    }
    values.push(checked(flag, next));
    at++;
    while (flag.takes === "many" && argv[at + 1] !== undefined && !looksLikeFlag(argv[at + 1])) {
      values.push(argv[++at] ?? "");
    }
  }
  return { words, given };
}

/** Splits combined short flags such as `-cp`. */
function splitShortFlags(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.flatMap((word, at) => {
    const isCluster = /^-[^-]./.test(word) && (end === -1 || at < end);
    const first = isCluster ? byName.get(word.slice(0, 2)) : undefined;
    if (!first || expectsValue(argv[at - 1])) return [word];
    const rest = word.slice(2);
    return first[1].value === undefined
      ? [word.slice(0, 2), ...splitShortFlags([`-${rest}`])]
      : [word.slice(0, 2), rest];
  });
}

/** Whether the flag takes the next word as its value, even if that looks like a flag. */
function expectsValue(before = ""): boolean {
  const flag = byName.get(before)?.[1];
  return flag?.value !== undefined && flag.takes === undefined;
}

function looksLikeFlag(word = ""): boolean {
  return word.length > 1 && word.startsWith("-");
}

function checked(flag: Flag, value: string): string {
  if (!flag.choices || flag.choices.includes(value)) return value;
  const allowed = flag.choices.filter((choice) => choice !== "default").join(", ");
  throw invalid(flag, value, `Allowed choices are ${allowed}.`);
}

export function invalid(flag: Flag, value: string, why: string): UsageError {
  return new UsageError(
    `error: option '${formatFlag(flag)}' argument '${value}' is invalid. ${why}`,
  );
}

function formatFlag(flag: Flag): string {
  const value = flag.takes === "many" ? `${flag.value}...` : flag.value;
  const [open, close] = flag.takes === "optional" ? ["[", "]"] : ["<", ">"];
  return `${flag.names.join(", ")} ${open}${value}${close}`;
}
