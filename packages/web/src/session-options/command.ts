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
