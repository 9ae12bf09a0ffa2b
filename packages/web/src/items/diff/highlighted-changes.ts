import type { TokenLine } from "../../code/highlight/tokens.ts";
import type { LineSpan } from "./rows.ts";

interface HighlightedSpan {
  readonly text: string;
  readonly kind: number;
  readonly changed: boolean;
}

/** Splits a line wherever its color or its changed state changes. */
export function highlightChanges(tokens: TokenLine, words: readonly LineSpan[]): HighlightedSpan[] {
  const found: HighlightedSpan[] = [];
  let word = 0;
  let left = words[0]?.text.length ?? 0;
  for (const [text, kind] of tokens) {
    let at = 0;
    while (at < text.length) {
      while (left === 0 && word < words.length - 1) left = words[++word]?.text.length ?? 0;
      const length = Math.min(text.length - at, left > 0 ? left : text.length - at);
      found.push({
        text: text.slice(at, at + length),
        kind,
        changed: words[word]?.changed ?? false,
      });
      at += length;
      left = Math.max(0, left - length);
    }
  }
  return found;
}
