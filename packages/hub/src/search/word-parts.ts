/** A word of code: letters and digits of any script, joined by underscores. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Where one part of a word of code ends and the next begins: `readRows`, `HTTPServer`, `rows2`, `read_rows`. */
const BOUNDARY =
  /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The parts of one word, which is the only one if it is a plain word. */
function splitWord(word: string): string[] {
  return word.split(BOUNDARY).filter((part) => part !== "");
}

/** The parts of all words in a text that have several, each once: what a search for a part of a name finds. */
export function collectWordParts(text: string): string {
  const words = new Set(text.match(WORD));
  const parts = new Set<string>();
  for (const word of words) {
    const found = splitWord(word);
    if (found.length > 1) for (const part of found) parts.add(part.toLowerCase());
  }
  return [...parts].join(" ");
}

export function listWords(text: string): string[] {
  return text.match(WORD) ?? [];
}
