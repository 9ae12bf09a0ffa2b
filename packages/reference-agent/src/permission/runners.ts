/** What a command runs in its turn: a command by its words, or a line that a shell takes apart. */
type Run =
  | {
      readonly words: readonly string[];
      /** Claude Code's first look sees it as well: it says so of what it denies. */
      readonly isPlain: boolean;
    }
  | { readonly line: string; readonly args?: readonly string[] };

interface Runner {
  /** Letters of options without a value, and with one. What is in neither may have one or not. */
  readonly flags?: string;
  readonly valued?: string;
  /** How many words of its own may stand before the command. */
  readonly own?: number;
}

/** Programs and words of the shell that run the command which follows. */
const runners: Readonly<Record<string, Runner>> = {
  builtin: {},
  busybox: {},
  chroot: { own: 1 },
  chrt: { flags: "abdfimorRv", valued: "TPD", own: 1 },
  command: { flags: "p" },
  doas: { flags: "nsL", valued: "uCa" },
  env: { flags: "i0v", valued: "uC" },
  exec: { flags: "cl", valued: "a" },
  flock: { flags: "sxenuoFv", valued: "wEc", own: 1 },
  ionice: { flags: "t", valued: "cn" },
  ltrace: { valued: "aAeDlnopsuwxX" },
  nice: { valued: "n" },
  nocorrect: {},
  noglob: {},
  nohup: {},
  setarch: { own: 1 },
  setsid: { flags: "cfw" },
  stdbuf: { valued: "ioe" },
  strace: { flags: "cCdDfFhiknqrtTvVwxyYzZ", valued: "abeEIoOpPsSuUX" },
  sudo: { flags: "AbBeEHiKklnNPsSvV", valued: "ughpCDrRtTU" },
  taskset: { flags: "ac", own: 1 },
  time: { flags: "apqvV", valued: "fo" },
  timeout: { flags: "fpv", valued: "ks", own: 1 },
  toybox: {},
  unshare: { flags: "cCfimnprTuU", valued: "GRSw" },
  watch: { flags: "bcdegptvwx", valued: "nqs" },
  xargs: { flags: "0oprtx", valued: "adEILnPs" },
};
/** Those that Claude Code's first look passes, and the options with which it does. */
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
/** Long options that have no value. */
const bare =
  /^--(?:foreground|preserve-status|verbose|ignore-environment|null|debug|no-run-if-empty|interactive|fork|wait|ctty|nonblock|exclusive|shared|map-root-user|portability|login|preserve-env|non-interactive|)$/;
const shells = new Set(
  "sh bash dash ash zsh ksh mksh lksh rbash posh yash fish csh tcsh".split(" "),
);
/** They give one of their words to a shell. */
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
  if (name === "find") runs.push(...executed(rest));
  if (name === "env") runs.push(...split(rest));
  if (shells.has(name) || withLine.has(name)) runs.push(...scripts(rest));
  const isAsking = name === "command" && /^-p?[vV]/.test(rest[0] ?? "");
  for (const at of isAsking ? [] : starts(runners[name], rest)) {
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

/** Where the command may begin: behind the options, each of which may have taken a word with it. */
function starts(runner: Runner | undefined, words: readonly string[]): number[] {
  if (!runner) return [];
  const { flags = "", valued = "", own = 0 } = runner;
  const found: number[] = [];
  let passable = own;
  let hasEnded = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!hasEnded && word.startsWith("-")) {
      hasEnded = word === "--";
      const taken = getValues(word, flags, valued);
      if (taken === 1) at++;
      if (taken === undefined) passable++;
    } else if (!ASSIGNMENT.test(word)) {
      found.push(at);
      if (passable-- === 0) break;
    }
  }
  return found;
}

/** How many of the next words belong to an option; undefined: none or one. */
function getValues(word: string, flags: string, valued: string): 0 | 1 | undefined {
  if (word.startsWith("--")) return bare.test(word) || word.includes("=") ? 0 : undefined;
  const letters = word.slice(1).split("");
  const last = letters.findIndex((letter) => !flags.includes(letter));
  if (last < 0) return 0;
  if (!valued.includes(letters[last]!)) return undefined;
  return last === letters.length - 1 ? 1 : 0;
}

function afterOptions(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return at < 0 ? [] : words.slice(at);
}

function executed(words: readonly string[]): Run[] {
  const isRun = (word: string) => /^-(?:exec|execdir|ok|okdir)$/.test(word);
  return words.flatMap((word, at) =>
    isRun(word) ? [{ words: words.slice(at + 1), isPlain: false }] : [],
  );
}

/** `env -S "COMMAND"`. */
function split(words: readonly string[]): Run[] {
  return words.flatMap((word, at) => {
    const found = /^(?:-[i0v]*S|--split-string=|--split-string$|--s[a-z-]*=)([^]*)$/.exec(word);
    if (!found) return [];
    return [{ line: [found[1], ...words.slice(at + 1)].join(" ") }];
  });
}

/** `sh -c "LINE" NAME ARGUMENTS`: options may stand before and after the `-c`. */
function scripts(words: readonly string[]): Run[] {
  const option = words.findIndex((word) => /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/.test(word));
  const glued = words.flatMap((word) => /^--command=([^]*)$/.exec(word)?.[1] ?? []);
  if (option < 0) return glued.map((line) => ({ line }));
  const after = words.slice(option + 1);
  const at = after.findIndex((word) => !/^[-+]/.test(word));
  return at < 0 ? [] : [{ line: after[at]!, args: after.slice(at + 1) }];
}
