import { isReadOnlyGit } from "./git-options.ts";
import { readOptions } from "./options.ts";

/**
 * What well-known commands do with files: which of their words are paths, and whether they only
 * read.
 */

const list = (names: string): Set<string> => new Set(names.split(" "));

/** Commands that print something and change nothing. Their words are not paths. */
const printCommands = list("echo true false seq sleep expr test [ [[");
/** Commands that do the same, except with some options. */
const printCommandsWithExceptions = list(
  "pwd whoami id date uname hostname arch nproc uptime groups tty which type basename dirname cal locale getconf",
);
/** Commands that read files: their words that are not options are paths. */
const readingCommands = list(
  "ls cat head tail wc stat file du df tree sort uniq cut paste column nl tac rev fold diff cmp comm md5sum sha1sum sha256sum sha512sum cksum strings od hexdump base64 readlink realpath",
);
/**
 * Commands whose first word that is not an option is a pattern or a program, and the others are
 * paths.
 */
const finders = list("grep egrep fgrep rg jq");
/** Commands that change only the files that they name. */
const changers = list("tee touch mkdir rmdir rm mv cp");

/** Commands that print nothing on success. */
const silent = list("mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait");

/** Subcommands of git that only read. */
const gitLooks = list(
  "status log diff show branch blame describe rev-parse rev-list ls-files shortlog cat-file name-rev merge-base for-each-ref grep reflog",
);
/** Features of jq that read the environment, which contains keys, or other files. */
const jqLeaves = /env|ENV|import|include/;
/**
 * Tests of find; those in the second list take a value. Anything else may run programs or read
 * other lists.
 */
const findTests = list(
  "( ) ! , -a -and -o -or -not -depth -mount -xdev -noleaf -print -print0 -prune -quit -ls -empty -true -false -readable -writable -executable -daystart -nouser -nogroup -follow",
);
const findValued = list(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -maxdepth -mindepth -mtime -atime -ctime -mmin -amin -cmin -perm -user -group -uid -gid -links -inum -printf -used -fstype -newer -anewer -cnewer -samefile",
);

type Effect =
  | { readonly kind: "looks"; readonly paths: readonly string[] }
  | { readonly kind: "changes"; readonly paths: readonly string[] }
  | { readonly kind: "moves"; readonly path: string }
  | { readonly kind: "unknown" };
const unknown: Effect = { kind: "unknown" };

/**
 * Programs that run the command after them. No rule is suggested for them, because it would cover
 * any command.
 */
const wrappers = list("timeout command builtin time nice nohup env stdbuf xargs sudo");

export function isWrapped([name = ""]: readonly string[]): boolean {
  return wrappers.has(name);
}

/** Removes words that only limit the time of a command or control its lookup. */
function removeWrappers(words: readonly string[]): readonly string[] {
  const [name, first = "", ...rest] = words;
  if (name === "timeout" && /^\d+(\.\d+)?[smhd]?$/.test(first) && rest.length > 0)
    return removeWrappers(rest);
  const isPassed = (name === "command" || name === "builtin") && /^[^-]/.test(first);
  return isPassed ? removeWrappers([first, ...rest]) : words;
}

/** Determines what a simple command does. */
export function getEffect(given: readonly string[]): Effect {
  const words = removeWrappers(given);
  const [name = "", ...rest] = words;
  if (name === "cd") return cdEffect(rest);
  if (name === "find") return findEffect(rest);
  if (name === "git") return gitEffect(rest);
  if (name === "sed") return sedEffect(rest);
  if (name === "xxd") return xxdEffect(rest);
  if (printCommands.has(name)) {
    // `test -v 'a[$(command)]'` runs the command.
    const runs = /^(test|\[)$/.test(name) && rest.some((word) => /\$\(|`/.test(word));
    return runs ? unknown : { kind: "looks", paths: [] };
  }
  if (name === "printf") {
    return rest[0]?.startsWith("-") ? unknown : { kind: "looks", paths: [] };
  }
  const read = readOptions(name, rest);
  if (!read) return unknown;
  const { operands, given: options } = read;
  if (printCommandsWithExceptions.has(name)) {
    const sets =
      (name === "hostname" && operands.length > 0) ||
      (name === "date" && operands.some((word) => !word.startsWith("+")));
    return sets ? unknown : { kind: "looks", paths: [] };
  }
  if (readingCommands.has(name)) {
    if (name === "uniq" && operands.length > 1) return unknown; // The second operand is written.
    if (name === "strings" && operands.some((word) => word.startsWith("@"))) return unknown;
    return { kind: "looks", paths: operands };
  }
  if (finders.has(name)) {
    if (name === "jq" && rest.some((word) => jqLeaves.test(word))) return unknown;
    const hasPattern = ["e", "regexp", "files"].some((option) => options.has(option));
    return { kind: "looks", paths: hasPattern && name !== "jq" ? operands : operands.slice(1) };
  }
  if (name === "tee" && operands.length === 0) return unknown;
  if (!changers.has(name)) return unknown;
  // Values of options are treated as paths, too.
  const isPath = (word: string) => !word.startsWith("-") || operands.includes(word);
  return { kind: "changes", paths: rest.filter(isPath) };
}

/** Returns the name of the command behind a time limit or the like. */
export function innerName(words: readonly string[]): string {
  return removeWrappers(words)[0] ?? "";
}

/**
 * Whether a change requires a question even if edits are accepted, because its effects are not
 * fully visible.
 */
export function isMoreThanEdit(words: readonly string[]): boolean {
  const [name = ""] = words;
  if (name === "sed") return words.some((word) => /^-\w*n|^--(?:quiet|silent)$/.test(word));
  return name === "tee" || (isWrapped(words) && innerName(words) === "touch");
}

export function isSilent(words: readonly string[]): boolean {
  return silent.has(words[0] ?? "");
}

/**
 * Judges `cd`. `-P` follows links and `-` returns to the previous folder, which is not known here.
 */
function cdEffect(words: readonly string[]): Effect {
  const [path = "~", ...more] = words[0] === "--" ? words.slice(1) : words;
  return path.startsWith("-") || more.length > 0 ? unknown : { kind: "moves", path };
}

/** Judges xxd, which has options of several letters after one dash, and writes to a second file. */
function xxdEffect(words: readonly string[]): Effect {
  const paths: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (/^-[clsgo]$/.test(word)) at++;
    else if (!word.startsWith("-")) paths.push(word);
    else if (!/^-(?:[abeiup]|ps|plain|[clsgo][\da-fx+-]+|)$/.test(word)) return unknown;
  }
  return paths.length > 1 ? unknown : { kind: "looks", paths };
}

const findActions = list("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls");

/** Returns the options with which a `find` does more than read. */
export function findActs(given: readonly string[]): string | undefined {
  const [name, ...rest] = removeWrappers(given);
  return name === "find" ? rest.find((word) => findActions.has(word)) : undefined;
}

function findEffect(words: readonly string[]): Effect {
  const paths: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (findValued.has(word)) at++;
    else if (!/^[-(),!]/.test(word)) paths.push(word);
    else if (!findTests.has(word) && !/^-[HLP]$/.test(word)) return unknown;
  }
  return { kind: "looks", paths: paths.length > 0 ? paths : ["."] };
}

function gitEffect(words: readonly string[]): Effect {
  const [sub = "", ...rest] = words;
  if (!gitLooks.has(sub) || !isReadOnlyGit(sub, rest)) return unknown;
  // `git branch NAME` creates a branch.
  if (sub === "branch" && rest.some((word) => !word.startsWith("-"))) return unknown;
  if (sub === "reflog" && rest.some((word) => /^(?:expire|delete|drop)$/.test(word)))
    return unknown;
  // Outside of a repository, and with --no-index, git compares two files anywhere.
  if (sub === "diff") return { kind: "looks", paths: rest.filter((word) => !word.startsWith("-")) };
  const isElsewhere = (word: string) => /^(?:[/~]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(word);
  return { kind: "looks", paths: rest.filter(isElsewhere) };
}

/** A file name that could be a command of sed. */
const LIKE_SED = /^\d*(?:=|[ac-rt-xzA-Z])$/;

/**
 * Judges sed: `sed -n '1,5p' file` reads, and `sed -i` changes its files. Scripts that write or run
 * something are not judged.
 */
function sedEffect(words: readonly string[]): Effect {
  const options = words.filter((word) => word.startsWith("-"));
  const isKnown = /^(?:-[nErz]*i?|--quiet|--silent|--regexp-extended|--in-place)$/;
  if (options.some((word) => !isKnown.test(word))) return unknown;
  const inPlace = options.some((word) => /^(?:-\w*i|--in-place)$/.test(word));
  const [script = "", ...paths] = words.filter((word) => !word.startsWith("-"));
  const part = String.raw`(?:(?!\1)[^\\\n]|\\[^\n])*`;
  const substitution = new RegExp(String.raw`^s([/|#,])${part}\1${part}\1[gIpi\d]*$`);
  const simple = /^(\d+|\$)?(,(\d+|\$))?p$/.test(script) || substitution.test(script);
  if (!simple || paths.some((path) => LIKE_SED.test(path))) return unknown;
  // A substitution in a named file counts as a change, whether or not it is one.
  const isChange = inPlace || (substitution.test(script) && paths.length > 0);
  return { kind: isChange ? "changes" : "looks", paths };
}
