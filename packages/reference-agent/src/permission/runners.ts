/** What a command runs in turn: another command by its words, or a line for a shell. */
type Run =
  | {
      readonly words: readonly string[];
      /**
       * Whether Claude Code's first check also finds it. Its message for a denied command depends
       * on that.
       */
      readonly isPlain: boolean;
    }
  | { readonly line: string; readonly args?: readonly string[] };

interface Runner {
  /** Short options without a value, and with one. Others may or may not have one. */
  readonly flags?: string;
  readonly withValue?: string;
  /** The largest number of its own words before the command. */
  readonly own?: number;
}

/** Programs and shell keywords that run the command after them. */
const runners: Readonly<Record<string, Runner>> = {
  builtin: {},
  busybox: {},
  chroot: { own: 1 },
  chrt: { flags: "abdfimorRv", withValue: "TPD", own: 1 },
  command: { flags: "p" },
  doas: { flags: "nsL", withValue: "uCa" },
  env: { flags: "i0v", withValue: "uC" },
  exec: { flags: "cl", withValue: "a" },
  flock: { flags: "sxenuoFv", withValue: "wEc", own: 1 },
  ionice: { flags: "t", withValue: "cn" },
  ltrace: { withValue: "aAeDlnopsuwxX" },
  nice: { withValue: "n" },
  nocorrect: {},
  noglob: {},
  nohup: {},
  setarch: { own: 1 },
  setsid: { flags: "cfw" },
  stdbuf: { withValue: "ioe" },
  strace: { flags: "cCdDfFhiknqrtTvVwxyYzZ", withValue: "abeEIoOpPsSuUX" },
  sudo: { flags: "AbBeEHiKklnNPsSvV", withValue: "ughpCDrRtTU" },
  taskset: { flags: "ac", own: 1 },
  time: { flags: "apqvV", withValue: "fo" },
  timeout: { flags: "fpv", withValue: "ks", own: 1 },
  toybox: {},
  unshare: { flags: "cCfimnprTuU", withValue: "GRSw" },
  watch: { flags: "bcdegptvwx", withValue: "nqs" },
  xargs: { flags: "0oprtx", withValue: "adEILnPs" },
};
/** Runners that Claude Code's first check skips, with the options it allows for that. */
const passed: Readonly<Record<string, RegExp>> = {
  builtin: /^--$/,
  command: /^(?:-p|--)$/,
  doas: /^-/,
  env: /^-[i0v]+$/,
  nice: /^-/,
  noglob: /^$/,
  nohup: /^$/,
  stdbuf: /^-[ioe]./,
  sudo: /^-/,
  time: /^$/,
  timeout: /^--?[^-]/,
  xargs: /^$/,
};
/** Long options without a value. */
const bare =
  /^--(?:foreground|preserve-status|verbose|ignore-environment|null|debug|no-run-if-empty|interactive|fork|wait|ctty|nonblock|exclusive|shared|map-root-user|portability|login|preserve-env|non-interactive|)$/;
const shells = new Set(
  "sh bash dash ash zsh ksh mksh lksh rbash posh yash fish csh tcsh".split(" "),
);
/** Programs that pass one of their words to a shell. */
const withLine = new Set("su script flock runuser sg capsh".split(" "));
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

export function isShell([name = ""]: readonly string[]): boolean {
  return shells.has(getName(name));
}

export function runBy(words: readonly string[]): Run[] {
  const [path = "", ...rest] = words;
  const name = getName(path);
  const runs: Run[] = name === path ? [] : [{ words: [name, ...rest], isPlain: true }];
  if (name === "eval") runs.push({ line: afterOptions(rest).join(" ") });
  if (name === "find") runs.push(...listExecuted(rest));
  if (name === "env") runs.push(...split(rest));
  if (shells.has(name) || withLine.has(name)) runs.push(...listScripts(rest));
  const isAsking = name === "command" && /^-p?[vV]/.test(rest[0] ?? "");
  for (const at of isAsking ? [] : listStarts(runners[name], rest)) {
    const options = rest.slice(0, at).filter((word) => word.startsWith("-"));
    const isPlain = name in passed && options.every((word) => passed[name]!.test(word));
    runs.push({ words: rest.slice(at), isPlain });
    if (name === "watch") runs.push({ line: rest.slice(at).join(" ") });
  }
  return runs;
}

function getName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Lists where the command may begin: after the options, each of which may have taken a word as its
 * value.
 */
function listStarts(runner: Runner | undefined, words: readonly string[]): number[] {
  if (!runner) return [];
  const { flags = "", withValue = "", own = 0 } = runner;
  const found: number[] = [];
  let passable = own;
  let hasEnded = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!hasEnded && word.startsWith("-")) {
      hasEnded = word === "--";
      const taken = getValues(word, flags, withValue);
      if (taken === 1) at++;
      if (taken === undefined) passable++;
    } else if (!ASSIGNMENT.test(word)) {
      found.push(at);
      if (passable-- === 0) break;
    }
  }
  return found;
}

/** Returns how many of the next words belong to an option; undefined: none or one. */
function getValues(word: string, flags: string, withValue: string): 0 | 1 | undefined {
  if (word.startsWith("--")) return bare.test(word) || word.includes("=") ? 0 : undefined;
  const letters = word.slice(1).split("");
  const last = letters.findIndex((letter) => !flags.includes(letter));
  if (last < 0) return 0;
  if (!withValue.includes(letters[last]!)) return undefined;
  return last === letters.length - 1 ? 1 : 0;
}

function afterOptions(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return at < 0 ? [] : words.slice(at);
}

function listExecuted(words: readonly string[]): Run[] {
  const isRun = (word: string) => /^-(?:exec|execdir|ok|okdir)$/.test(word);
  return words.flatMap((word, at) =>
    isRun(word) ? [{ words: words.slice(at + 1), isPlain: false }] : [],
  );
}

/** Splits the text of `env -S "COMMAND"`. */
function split(words: readonly string[]): Run[] {
  return words.flatMap((word, at) => {
    const found = /^(?:-[i0v]*S|--split-string=|--split-string$|--s[a-z-]*=)([^]*)$/.exec(word);
    if (!found) return [];
    return [{ line: [found[1], ...words.slice(at + 1)].join(" ") }];
  });
}

/** Finds the lines of `sh -c "LINE" NAME ARGUMENTS`. Options may stand before and after `-c`. */
function listScripts(words: readonly string[]): Run[] {
  const option = words.findIndex((word) => /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/.test(word));
  const attachedValue = words.flatMap((word) => /^--command=([^]*)$/.exec(word)?.[1] ?? []);
  if (option < 0) return attachedValue.map((line) => ({ line }));
  const after = words.slice(option + 1);
  const at = after.findIndex((word) => !/^[-+]/.test(word));
  return at < 0 ? [] : [{ line: after[at]!, args: after.slice(at + 1) }];
}
