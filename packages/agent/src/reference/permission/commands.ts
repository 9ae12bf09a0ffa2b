/** What well-known commands do to files: which of their words are paths, and whether they only look. */

const list = (names: string): Set<string> => new Set(names.split(" "));

/** They print something and change nothing; their words are no paths. */
const talkers = list(
  "echo printf true false pwd whoami id date uname hostname arch nproc uptime groups tty which type seq sleep basename dirname expr test [ [[ cal locale getconf",
);
/** They look at files: their words that are no options are paths. */
const lookers = list(
  "ls cat head tail wc stat file du df tree sort uniq cut paste column nl tac rev fold diff cmp comm md5sum sha1sum sha256sum sha512sum cksum strings od hexdump xxd base64 readlink realpath",
);
/** The first word that is no option is a pattern or a program, the others are paths. */
const finders = list("grep egrep fgrep rg jq");
/** They change files, and nothing but the files they name. */
const changers = list("tee touch mkdir rmdir rm mv cp");

/** Commands that print nothing when all is well. */
const silent = list("mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait");

/** Subcommands of git that only look. */
const gitLooks = list(
  "status log diff show branch blame describe rev-parse rev-list ls-files ls-tree shortlog cat-file name-rev merge-base for-each-ref grep reflog",
);
const gitActs =
  /^(-d|-D|-m|-M|-c|-C|-f|-u|--delete|--move|--copy|--force|--set-upstream.*|--unset-upstream|--edit-description|--output.*|expire|delete|--exec.*|-O.*|--open-files-in-pager.*|--ext-diff)$/;

/** Options by which a command that looks would act. */
const acting: Record<string, RegExp> = {
  sort: /^(-o.*|--output.*|--compress-program.*)$/,
  tree: /^(-o.*|--output.*)$/,
  uniq: /^$/,
  printf: /^-v/,
  pwd: /^-/,
  date: /^(-s.*|--set.*|-f.*|--file.*)$/,
  // Patterns from a file show that file's lines; jq knows the environment, which has keys in it.
  grep: /^(-[a-zA-Z]*f.*|--file.*|--exclude-from.*)$/,
  egrep: /^(-[a-zA-Z]*f.*|--file.*|--exclude-from.*)$/,
  fgrep: /^(-[a-zA-Z]*f.*|--file.*|--exclude-from.*)$/,
  jq: /env|ENV|import|include|^-[a-zA-Z]*[fL]|^--(from-file|rawfile|slurpfile|library-path)/,
  hostname: /^[^-]/,
  rg: /^(--pre.*|--hostname-bin.*|-z|--search-zip|-f.*|--file.*|--ignore-file.*)$/,
  xxd: /^-r/,
  file: /^(-C|--compile|-m|--magic-file.*)$/,
};
const findActs = /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/;
/** Options whose next word is a value and no path. */
const valued: Record<string, RegExp> = {
  head: /^-(n|c)$/,
  tail: /^-(n|c|s)$/,
  cut: /^-(d|f|c|b)$/,
  sort: /^-(k|t|S|T)$/,
  grep: /^-(e|m|A|B|C|f)$/,
  rg: /^-(e|m|A|B|C|g|t|T|j|r|f)$/,
  du: /^-d$/,
  tree: /^-(L|P|I)$/,
  fold: /^-w$/,
  xxd: /^-(l|s|c|g)$/,
  stat: /^-(c|f)$/,
  paste: /^-d$/,
  column: /^-(t|s)$/,
  mkdir: /^-m$/,
  touch: /^-(d|t)$/,
};

export type Effect =
  | { readonly kind: "looks"; readonly paths: readonly string[] }
  | { readonly kind: "changes"; readonly paths: readonly string[] }
  | { readonly kind: "moves"; readonly path: string }
  | { readonly kind: "unknown" };

/** Programs that run the command which follows: no rule is suggested that would cover any other. */
const wrappers = list("timeout command builtin time nice nohup env stdbuf xargs sudo");

export function isWrapped([name = ""]: readonly string[]): boolean {
  return wrappers.has(name);
}

/** Without what only bounds the time of a command or says where to look for it. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [name, first = "", ...rest] = words;
  if (name === "timeout" && /^\d+(\.\d+)?[smhd]?$/.test(first) && rest.length > 0)
    return unwrapped(rest);
  const isPassed = (name === "command" || name === "builtin") && /^[^-]/.test(first);
  return isPassed ? unwrapped([first, ...rest]) : words;
}

/** What one simple command does. */
export function effectOf(given: readonly string[]): Effect {
  const words = unwrapped(given);
  const [name = "", ...rest] = words;
  const act = acting[name];
  if (act && rest.some((word) => act.test(word))) return { kind: "unknown" };
  if (name === "cd") return { kind: "moves", path: rest.find((word) => word !== "--") ?? "~" };
  if (talkers.has(name)) return { kind: "looks", paths: [] };
  if (lookers.has(name)) {
    if (name === "uniq" && plain(name, rest).length > 1) return { kind: "unknown" }; // writes the second
    return { kind: "looks", paths: plain(name, rest) };
  }
  if (finders.has(name)) {
    const others = plain(name.endsWith("grep") ? "grep" : name, rest);
    const given = rest.some((word) => /^(-e|--regexp)/.test(word));
    return { kind: "looks", paths: given ? others : others.slice(1) };
  }
  if (name === "find") return findEffect(rest);
  if (name === "git") return gitEffect(rest);
  if (name === "sed") return sedEffect(rest);
  if (changers.has(name)) {
    const paths = plain(name, rest);
    if (name === "tee" && paths.length === 0) return { kind: "unknown" };
    return { kind: "changes", paths };
  }
  return { kind: "unknown" };
}

export function isSilent(words: readonly string[]): boolean {
  return silent.has(words[0] ?? "");
}

/** The words that are no options. */
function plain(name: string, words: readonly string[]): string[] {
  const found: string[] = [];
  let options = true;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (options && word === "--") options = false;
    else if (options && word.startsWith("-") && word !== "-") {
      if (valued[name]?.test(word)) i++;
      const value = /^--[\w-]+=(.*[/~].*)$/s.exec(word)?.[1]; // --files0-from=../list
      if (value !== undefined) found.push(value);
    } else if (word !== "-") found.push(word);
  }
  return found;
}

function findEffect(words: readonly string[]): Effect {
  if (words.some((word) => findActs.test(word))) return { kind: "unknown" };
  const end = words.findIndex((word) => word.startsWith("-") || word === "(" || word === "!");
  const paths = end < 0 ? words : words.slice(0, end);
  return { kind: "looks", paths: paths.length > 0 ? paths : ["."] };
}

function gitEffect(words: readonly string[]): Effect {
  const [sub = "", ...rest] = words;
  if (!gitLooks.has(sub) || rest.some((word) => gitActs.test(word))) return { kind: "unknown" };
  // `git branch NAME` makes one.
  if (sub === "branch" && rest.some((word) => !word.startsWith("-"))) return { kind: "unknown" };
  if (sub === "reflog" && rest.some((word) => word === "drop")) return { kind: "unknown" };
  // Outside of a repository, and with --no-index, two files are compared wherever they are.
  const isElsewhere = (word: string) => /^(?:[/~]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(word);
  return { kind: "looks", paths: rest.filter(isElsewhere) };
}

/** `sed -n '1,5p' file` looks; `sed -i` changes its files. Scripts that write or run are not judged. */
function sedEffect(words: readonly string[]): Effect {
  if (words.some((word) => /^(-f|--file|-s|-e|--expression)/.test(word)))
    return { kind: "unknown" };
  const inPlace = words.some((word) => /^(-i|--in-place|-[nErz]*i)/.test(word));
  const others = words.filter((word) => !word.startsWith("-"));
  const [script = "", ...paths] = others;
  const part = String.raw`(?:(?!\1)[^\\\n]|\\[^\n])*`;
  const substitution = new RegExp(String.raw`^s([/|#,])${part}\1${part}\1[gIpi\d]*$`);
  const simple = /^(\d+|\$)?(,(\d+|\$))?p$/.test(script) || substitution.test(script);
  if (!simple) return { kind: "unknown" };
  return { kind: inPlace ? "changes" : "looks", paths };
}
