/** The kinds of tokens that have a color. The worker sends the index in this list. */
const tokenKinds = [
  "plain",
  "constant",
  "string",
  "comment",
  "keyword",
  "parameter",
  "function",
  "string-expression",
  "punctuation",
  "link",
] as const;

type Token = readonly [text: string, kind: number];
export type TokenLine = readonly Token[];

export const tokenClass: readonly string[] = tokenKinds.map((kind) => `code-${kind}`);

/** Maps Shiki's color, such as `var(--code-token-keyword)`, to a token kind. */
export function tokenKindFromColor(color: string | undefined): number {
  const [, name] = /--code-token-([\w-]+)/.exec(color ?? "") ?? [];
  const kind = tokenKinds.findIndex((known) => known === name);
  return kind === -1 ? 0 : kind;
}

/**
 * The lines of `code`, highlighted as far as an earlier, shorter version was. While code grows, its earlier
 * lines keep their colors and new ones are plain.
 */
export function highlightedLines(
  code: string,
  earlier: { readonly code: string; readonly lines: readonly TokenLine[] } | undefined,
): TokenLine[] {
  const lines = code.split("\n");
  const known = earlier && code.startsWith(earlier.code) ? earlier.lines : [];
  // The last highlighted line may have grown since.
  const whole = known.length > 0 && earlier?.code === code ? known.length : known.length - 1;
  return lines.map((text, at) => (at < whole ? (known[at] ?? [[text, 0]]) : [[text, 0]]));
}
