/** Splits a command into words. Quotes group words; nothing else is special, and no shell is involved. */
export function splitCommand(command: string): readonly string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? "";
    }),
  );
}

/** Writes words so that `splitCommand` finds the same ones. */
export function joinCommand(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  if (word !== "" && !/[\s"']/.test(word)) return word;
  if (!word.includes('"')) return `"${word}"`;
  if (!word.includes("'")) return `'${word}'`;
  return word
    .split('"')
    .map((part) => `"${part}"`)
    .join(`'"'`);
}
