import type { PermissionSettings } from "./state.ts";
import type { EveryCommand, PossibleCommand } from "./every-command.ts";
import { absolute } from "../files/paths.ts";
import { deniedPath, ruleForCommand } from "./verdict.ts";

const list = (names: string): Set<string> => new Set(names.split(" "));
/** Commands that do not read the files they name. */
const blind = list("echo printf touch mkdir rmdir rm ln chmod chown chgrp truncate tee test [ [[");
/** Subcommands of git that name files without showing their contents. */
const namingSubcommands = list("check-ignore check-attr ls-files rm status");
/** Commands that change the files they name. */
const changers = list(
  "touch mkdir rmdir rm ln chmod chown chgrp truncate tee cp mv install dd shred unlink rsync",
);

/**
 * Whether a simple check would miss the denied command: the rule equals the whole line, or the
 * command comes after others.
 */
export function namesOnlyWhole(
  state: PermissionSettings,
  line: string,
  { commands }: EveryCommand,
): boolean {
  const isExact = state.rules.deny.some(
    ({ tool, content }) => tool === "Bash" && (content === line || content === `${line}:*`),
  );
  const denied = commands.filter(({ words }) => ruleForCommand(state, "deny", words.join(" ")));
  return isExact || (denied.length > 0 && denied.every(({ isPlain }) => !isPlain));
}

/**
 * Whether any rule denies commands or files. Then nothing that may have been misread runs without a
 * question.
 */
export function deniesAnyFile({ rules }: PermissionSettings): boolean {
  const kinds = new Set(["Bash", "Read", "Edit", "Write", "NotebookEdit"]);
  return [...rules.deny, ...rules.ask].some(
    ({ tool, content }) => content !== undefined && kinds.has(tool),
  );
}

/** Returns the message for the model if a line is denied because of a file that it names. */
export function deniedFile(
  state: PermissionSettings,
  line: string,
  { commands }: EveryCommand,
  folder: string,
): string | undefined {
  let here = folder;
  let denied: string | undefined;
  // A `cd` in brackets does not affect what follows, so every possible folder counts.
  const places = new Set([folder]);
  for (const command of commands) {
    const blocked = findBlockedFolder(state, command, [...places]);
    const target = parseCd(command.words);
    if (blocked && target === undefined) {
      return here === folder ? deniedLine(line) : `${blocked} was blocked by a deny rule.`;
    }
    if (target === undefined) continue;
    // The message for the command in the line is more precise.
    if (blocked) denied = deniedLine(line);
    for (const from of [folder, here]) places.add(absolute(target, from, state.home));
    here = absolute(target, here, state.home);
  }
  return denied;
}

/** Parses `cd -P FOLDER`. The folder of `cd -` was used before. */
function parseCd([name = "", ...rest]: readonly string[]): string | undefined {
  if (name !== "cd" && name !== "pushd") return undefined;
  return rest.find((word) => !word.startsWith("-")) ?? (rest.includes("-") ? undefined : "~");
}

export function deniedLine(line: string): string {
  return `Permission to use Bash with command ${line} has been denied.`;
}

function findBlockedFolder(
  state: PermissionSettings,
  { words, reads, writes }: PossibleCommand,
  folders: readonly string[],
): string | undefined {
  const [name = "", ...rest] = words;
  const find = (kind: "Read" | "Edit", named: readonly string[]): string | undefined =>
    named
      .flatMap((word) => listCandidatePaths(word, folders, state.home))
      .find((path) => deniedPath(state, kind, path));
  const byScript = name === "sed" ? rest.flatMap(listSedTargets) : [];
  const written = find("Edit", [...writes, ...byScript]);
  if (written !== undefined) return `Output redirection to '${written}'`;
  const isChange =
    changers.has(name) || (name === "sed" && rest.some((word) => /^-\w*i|^--in/.test(word)));
  const changed = isChange ? find("Edit", rest) : undefined;
  if (changed !== undefined) return `${name} to '${changed}'`;
  const read = find("Read", [...reads, ...getReadWords(name, rest)]);
  return read === undefined ? undefined : `${name} from '${read}'`;
}

/** Returns the words of a command that may be files that it reads. */
function getReadWords(name: string, words: readonly string[]): readonly string[] {
  if (blind.has(name) || (name === "git" && namingSubcommands.has(words[0] ?? ""))) return [];
  return words.filter(
    (word, at) =>
      !/^--exclude[a-z-]*=/.test(word) && !/^--exclude[a-z-]*$/.test(words[at - 1] ?? ""),
  );
}

/** Returns the files that a sed script writes with `w`. */
function listSedTargets(script: string): string[] {
  return [...script.matchAll(/w[ \t]+([^\s;}]+)/g)].flatMap(([, file]) => file ?? []);
}

/**
 * Lists the paths that a word may mean: itself or the value of an option, relative to each folder.
 */
function listCandidatePaths(word: string, folders: readonly string[], home: string): string[] {
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
