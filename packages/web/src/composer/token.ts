/** The word at the caret that can be completed. */
export interface CompletionToken {
  readonly kind: "command" | "file";
  /** What was typed after the slash or at sign. */
  readonly query: string;
  /** The position of the slash or at sign. */
  readonly from: number;
  readonly to: number;
}

/** Finds `/…` at the very start, or `@…` at the start of a word, with the caret at its end. */
export function findToken(text: string, caret: number): CompletionToken | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? "";
  return { kind: "file", query, from: caret - query.length - 1, to: caret };
}

/** Replaces the token with the chosen name. Returns the text and the position of the caret. */
export function applyCompletion(
  text: string,
  token: CompletionToken,
  choice: string,
): { readonly text: string; readonly caret: number } {
  const sign = token.kind === "command" ? "/" : "@";
  const word = `${sign}${choice} `;
  const rest = text.slice(token.to).replace(/^ /, "");
  return { text: text.slice(0, token.from) + word + rest, caret: token.from + word.length };
}

/** Matching names: first those that start with the query, then those that contain it. */
export function rankMatches<T extends { readonly name: string }>(
  choices: readonly T[],
  query: string,
  most = 8,
): readonly T[] {
  const letters = query.toLowerCase();
  const at = ({ name }: T) => name.toLowerCase().indexOf(letters);
  return choices
    .filter((choice) => at(choice) !== -1)
    .toSorted((a, b) => Math.min(1, at(a)) - Math.min(1, at(b)))
    .slice(0, most);
}
