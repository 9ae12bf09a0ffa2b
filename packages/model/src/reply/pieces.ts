const pieceChars = 24;

/** A text word by word, each with the blanks after it. */
export function* words(text: string): Generator<string> {
  for (const [word] of text.matchAll(/\s*\S+\s*|\s+/g)) yield word;
}

/** A text in small pieces that never part the two halves of a character. */
export function* pieces(text: string): Generator<string> {
  for (const [piece] of text.matchAll(new RegExp(`[^]{1,${pieceChars}}`, "gu"))) yield piece;
}
