const EXCERPT_LENGTH = 240;

/** The beginning of a Markdown text without its marks, in one line. */
export function plainExcerpt(markdown: string): string {
  return markdown
    .slice(0, 2 * EXCERPT_LENGTH)
    .replace(/^```[\s\S]*/m, "")
    .replaceAll(/^\s*#+\s+(.*?)[:.]?\s*$/gm, "$1:")
    .replaceAll(/^\s*\|.*$/gm, "")
    .replaceAll(/^\s*(?:[-*]|\d+\.)\s+/gm, " · ")
    .replaceAll(/[*_`]/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(^|:) ·/g, "$1")
    .trim()
    .slice(0, EXCERPT_LENGTH);
}
