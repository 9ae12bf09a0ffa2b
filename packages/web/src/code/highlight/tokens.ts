/** What a stretch of code is, as far as colours tell. The place in this list goes over the wire. */
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

/** Shiki names its colours `var(--code-token-keyword)`. */
export function tokenKindFromColor(color: string | undefined): number {
  const [, name] = /--code-token-([\w-]+)/.exec(color ?? "") ?? [];
  const kind = tokenKinds.findIndex((known) => known === name);
  return kind === -1 ? 0 : kind;
}

/**
 * The lines of `code`, coloured as far as an earlier, shorter text was: while code grows, what stands
 * keeps its colours and what is new comes plain.
 */
export function highlightedLines(
  code: string,
  earlier: { readonly code: string; readonly lines: readonly TokenLine[] } | undefined,
): TokenLine[] {
  const lines = code.split("\n");
  const known = earlier && code.startsWith(earlier.code) ? earlier.lines : [];
  // The last line that was coloured may have grown since.
  const whole = known.length > 0 && earlier?.code === code ? known.length : known.length - 1;
  return lines.map((text, at) => (at < whole ? (known[at] ?? [[text, 0]]) : [[text, 0]]));
}
