import { readShell } from "../permission/shell-words.ts";

/** How many words, besides options, stand before the file that a command prints. */
const shows: Readonly<Record<string, number>> = { cat: 0, head: 0, tail: 0, sed: 1, grep: 1 };

/**
 * Returns the files that a Bash command prints as Read would: one file per command, without pipes
 * and in the current folder.
 */
export function shownBy(line: string): string[] {
  const { commands, unchecked, pipes } = readShell(line);
  if (unchecked !== undefined || pipes || commands.some(({ words }) => words[0] === "cd"))
    return [];
  return commands.flatMap(({ words: [name = "", ...words], text, plain }) => {
    if (!Object.hasOwn(shows, name) || text !== plain) return [];
    if (name === "sed" && words[0] !== "-n") return [];
    const operands = words.filter(
      (word, index) => !word.startsWith("-") && !isCount(name, words[index - 1]),
    );
    return operands.length === shows[name]! + 1 ? operands.slice(-1) : [];
  });
}

/** Whether an option takes the next word, such as `head -n 5`. */
function isCount(name: string, option: string | undefined): boolean {
  return (name === "head" || name === "tail") && (option === "-n" || option === "-c");
}
