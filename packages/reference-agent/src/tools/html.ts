/** Converts a page to readable text, with headings, lists and links as in Markdown. */
export function htmlToText(html: string): string {
  return html
    .replace(/<!--[^]*?-->/g, "")
    .replace(/<(script|style|noscript|svg|template|head)\b[^]*?<\/\1\s*>/gi, (whole, tag: string) =>
      tag.toLowerCase() === "head" ? getTitle(whole) : "",
    )
    .replace(/<h([1-6])\b[^>]*>/gi, (_, level: string) => `\n\n${"#".repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/gi, "\n- ")
    .replace(/<a\b[^>]*?\bhref\s*=\s*["']([^"']*)["'][^>]*>([^]*?)<\/a\s*>/gi, "[$2]($1)")
    .replace(/<(br|hr)\b[^>]*>/gi, "\n")
    .replace(/<\/(p|div|section|article|h[1-6]|ul|ol|table|tr|pre|blockquote)\s*>/gi, "\n")
    .replace(/<\/t[dh]\s*>/gi, " | ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function getTitle(head: string): string {
  const title = /<title[^>]*>([^]*?)<\/title\s*>/i.exec(head)?.[1]?.trim();
  return title ? `# ${title}\n` : "";
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
};
function entity(name: string): string | undefined {
  if (!name.startsWith("#")) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
