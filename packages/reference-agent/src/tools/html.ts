/** Elements of which nothing is shown; of a head, the title is. */
const hidden = new Set(["script", "style", "noscript", "svg", "template", "head"]);
const lineBreaks = new Set(
  "p div section article h1 h2 h3 h4 h5 h6 ul ol table tr pre blockquote".split(" "),
);

/**
 * Converts a page to readable text, with headings, lists and links as in Markdown. The page is read once,
 * from its beginning to its end: searching the rest anew at every tag would take minutes for a page whose
 * tags are not closed.
 */
export function htmlToText(html: string): string {
  return new TextWriter(html)
    .write()
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

class TextWriter {
  readonly #html: string;
  readonly #text: string[] = [];
  /** What does not occur in the rest of the page, and need not be searched again. */
  readonly #missing = new Set<string>();
  #link: { readonly at: number; readonly href: string } | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  write(): string {
    let at = 0;
    for (;;) {
      const open = this.#html.indexOf("<", at);
      const close = open < 0 ? -1 : this.#find(">", open);
      if (close < 0) break;
      this.#text.push(this.#html.slice(at, open));
      at = this.#writeTag(open, close);
    }
    this.#text.push(this.#html.slice(at));
    return this.#text.join("");
  }

  #find(text: string, from: number): number {
    if (this.#missing.has(text)) return -1;
    const at = this.#html.indexOf(text, from);
    if (at < 0) this.#missing.add(text);
    return at;
  }

  /** Writes a tag. Returns where to read on: behind the tag, or behind its element if that is hidden. */
  #writeTag(open: number, close: number): number {
    if (this.#html[open + 1] === "<") {
      this.#text.push("<"); // no tag begins here, but perhaps one at the next
      return open + 1;
    }
    if (this.#html.startsWith("<!--", open)) {
      const end = this.#find("-->", open + 4);
      return end < 0 ? close + 1 : end + 3;
    }
    const tag = this.#html.slice(open + 1, close);
    const [, slash = "", spelled = ""] = /^(\/?)([a-z][^\s/]*)/i.exec(tag) ?? [];
    const name = spelled.toLowerCase();
    if (slash === "" && hidden.has(name)) {
      const end = this.#findEndTag(name, close);
      if (end && name === "head") this.#text.push(getTitle(this.#html.slice(close + 1, end.start)));
      return end?.end ?? close + 1;
    }
    this.#text.push(slash === "" ? this.#startTag(name, tag) : this.#endTag(name));
    return close + 1;
  }

  #findEndTag(name: string, from: number): { start: number; end: number } | undefined {
    if (this.#missing.has(name)) return undefined;
    const pattern = new RegExp(`</${name}\\s*>`, "gi");
    pattern.lastIndex = from;
    const found = pattern.exec(this.#html);
    if (found) return { start: found.index, end: pattern.lastIndex };
    this.#missing.add(name);
    return undefined;
  }

  #startTag(name: string, tag: string): string {
    const [, level] = /^h([1-6])$/.exec(name) ?? [];
    if (level !== undefined) return `\n\n${"#".repeat(Number(level))} `;
    if (name === "li") return "\n- ";
    if (name === "br" || name === "hr") return "\n";
    const [, href] = name === "a" ? (/\bhref\s*=\s*["']([^"']*)["']/i.exec(tag) ?? []) : [];
    // The bracket is written when the link ends: a link that is not closed stays text.
    if (href !== undefined) this.#link ??= { at: this.#text.length, href };
    return "";
  }

  #endTag(name: string): string {
    if (name === "a" && this.#link) {
      const { at, href } = this.#link;
      this.#link = undefined;
      this.#text[at] = "[";
      return `](${href})`;
    }
    if (name === "td" || name === "th") return " | ";
    return lineBreaks.has(name) ? "\n" : "";
  }
}

function getTitle(head: string): string {
  const open = head.search(/<title\b/i);
  const start = open < 0 ? -1 : head.indexOf(">", open);
  const end = start < 0 ? -1 : head.slice(start).search(/<\/title\s*>/i);
  const title = end < 0 ? "" : head.slice(start + 1, start + end).trim();
  return title === "" ? "" : `# ${title}\n`;
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
