import type { PermissionState } from "./state.ts";
import type { EveryCommand, PossibleCommand } from "./every-command.ts";
import { absolute } from "../files/paths.ts";
import { deniedPath, ruleForCommand } from "./verdict.ts";

const list = (names: string): Set<string> => new Set(names.split(" "));
/** Their words are no files that they look into. */
const blind = list("echo printf touch mkdir rmdir rm ln chmod chown chgrp truncate tee test [ [[");
/** Subcommands of git that name files and show nothing of them. */
const namers = list("check-ignore check-attr ls-files rm status");
/** They change the files that they name. */
const changers = list(
  "touch mkdir rmdir rm ln chmod chown chgrp truncate tee cp mv install dd shred unlink rsync",
);

/** Whether no first look finds the command that is denied: the rule has the very words of the line, or
 * the command stands behind others. */
export function namesOnlyWhole(
  state: PermissionState,
  line: string,
  { commands }: EveryCommand,
): boolean {
  const isExact = state.rules.deny.some(
    ({ tool, content }) => tool === "Bash" && (content === line || content === `${line}:*`),
  );
  const denied = commands.filter(({ words }) => ruleForCommand(state, "deny", words.join(" ")));
  return isExact || (denied.length > 0 && denied.every(({ isPlain }) => !isPlain));
}

/** Whether any rule stops commands or files: then nothing that may have been misread runs unasked. */
export function stopsSome({ rules }: PermissionState): boolean {
  const kinds = new Set(["Bash", "Read", "Edit", "Write", "NotebookEdit"]);
  return [...rules.deny, ...rules.ask].some(
    ({ tool, content }) => content !== undefined && kinds.has(tool),
  );
}

/** Why a line may not run because of a file that it names: what the model is told. */
export function deniedFile(
  state: PermissionState,
  line: string,
  { commands }: EveryCommand,
  folder: string,
): string | undefined {
  let here = folder;
  let denied: string | undefined;
  // What stands in brackets moves nobody outside of them: every folder that may be the one counts.
  const places = new Set([folder]);
  for (const command of commands) {
    const blocked = blockedIn(state, command, [...places]);
    const target = movesTo(command.words);
    if (blocked && target === undefined) {
      return here === folder ? deniedLine(line) : `${blocked} was blocked by a deny rule.`;
    }
    if (target === undefined) continue;
    if (blocked) denied = deniedLine(line); // what is done there says it better
    for (const from of [folder, here]) places.add(absolute(target, from, state.home));
    here = absolute(target, here, state.home);
  }
  return denied;
}

/** `cd -P FOLDER`; where `cd -` leads has been before. */
function movesTo([name = "", ...rest]: readonly string[]): string | undefined {
  if (name !== "cd" && name !== "pushd") return undefined;
  return rest.find((word) => !word.startsWith("-")) ?? (rest.includes("-") ? undefined : "~");
}

export function deniedLine(line: string): string {
  return `Permission to use Bash with command ${line} has been denied.`;
}

function blockedIn(
  state: PermissionState,
  { words, reads, writes }: PossibleCommand,
  folders: readonly string[],
): string | undefined {
  const [name = "", ...rest] = words;
  const find = (kind: "Read" | "Edit", named: readonly string[]): string | undefined =>
    named
      .flatMap((word) => candidates(word, folders, state.home))
      .find((path) => deniedPath(state, kind, path));
  const byScript = name === "sed" ? rest.flatMap(writtenBySed) : [];
  const written = find("Edit", [...writes, ...byScript]);
  if (written !== undefined) return `Output redirection to '${written}'`;
  const isChange =
    changers.has(name) || (name === "sed" && rest.some((word) => /^-\w*i|^--in/.test(word)));
  const changed = isChange ? find("Edit", rest) : undefined;
  if (changed !== undefined) return `${name} to '${changed}'`;
  const read = find("Read", [...reads, ...lookedAt(name, rest)]);
  return read === undefined ? undefined : `${name} from '${read}'`;
}

/** Those words of a command that may be files into which it looks. */
function lookedAt(name: string, words: readonly string[]): readonly string[] {
  if (blind.has(name) || (name === "git" && namers.has(words[0] ?? ""))) return [];
  return words.filter(
    (word, at) =>
      !/^--exclude[a-z-]*=/.test(word) && !/^--exclude[a-z-]*$/.test(words[at - 1] ?? ""),
  );
}

/** Files of the `w` commands of a script for sed. */
function writtenBySed(script: string): string[] {
  return [...script.matchAll(/w[ \t]+([^\s;}]+)/g)].flatMap(([, file]) => file ?? []);
}

/** The paths that a word may mean: itself, the value of an option, seen from each folder. */
function candidates(word: string, folders: readonly string[], home: string): string[] {
  const value = /^(?:[\w-]+=|-\w)(.+)$/s.exec(word)?.[1];
  return [word, ...(value === undefined ? [] : [value])].flatMap((one) =>
    folders.map((folder) =>
      absolute(
        one.replace(/^\$\{?PWD\b\}?/, folder).replace(/^\$\{?HOME\b\}?/, home),
        folder,
        home,
      ),
    ),
  );
}
