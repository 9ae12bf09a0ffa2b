import type { PermissionState } from "./state.ts";
import { everyCommand, type PossibleCommand } from "./every-command.ts";
import { absolute } from "./paths.ts";
import { deniedPath, ruleForCommand } from "./verdict.ts";

const list = (names: string): Set<string> => new Set(names.split(" "));
/** Their words are no files that they look into. */
const blind = list(
  "echo printf touch mkdir rmdir rm ln chmod chown chgrp truncate tee cd test [ [[",
);
/** They change the files that they name. */
const changers = list(
  "touch mkdir rmdir rm ln chmod chown chgrp truncate tee cp mv install dd shred unlink rsync",
);

/** Whether a rule of this kind is about anything that the line may run, in whatever clothes. */
export function namesCommand(
  state: PermissionState,
  behavior: "deny" | "ask",
  line: string,
): boolean {
  return everyCommand(line).some(
    ({ words }) => ruleForCommand(state, behavior, words.join(" ")) !== undefined,
  );
}

/** Why a line may not run because of a file that it names: what the model is told. */
export function deniedFile(
  state: PermissionState,
  line: string,
  folder: string,
): string | undefined {
  let here = folder;
  for (const command of everyCommand(line)) {
    const [name = "", first] = command.words;
    const blocked = blockedIn(state, command, [here, folder]);
    if (blocked) {
      return here === folder ? deniedLine(line) : `${blocked} was blocked by a deny rule.`;
    }
    if (name === "cd") here = absolute(first ?? "~", here, state.home);
  }
  return undefined;
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
  const written = find("Edit", writes);
  if (written !== undefined) return `Output redirection to '${written}'`;
  const isChange =
    changers.has(name) || (name === "sed" && rest.some((word) => /^-\w*i|^--in/.test(word)));
  const changed = isChange ? find("Edit", rest) : undefined;
  if (changed !== undefined) return `${name} to '${changed}'`;
  const read = find("Read", blind.has(name) ? reads : [...reads, ...rest]);
  return read === undefined ? undefined : `${name} from '${read}'`;
}

/** The paths that a word may mean: itself, the value of an option, seen from each folder. */
function candidates(word: string, folders: readonly string[], home: string): string[] {
  const value = /^[\w-]+=(.+)$/s.exec(word)?.[1];
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
