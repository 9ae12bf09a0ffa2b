const FENCE = /^\s*(?:>\s?|[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/;
const LIST = /^\s*(?:[-*+]|\d+[.)])\s/;
const TAG =
  /^ {0,3}<(?:\/?[a-z][^>]*>\s*$|\/?(?:div|p|table|ul|ol|details|section|pre|script|style)\b)/i;

/**
 * Removes HTML comments at the beginning of a line, which are meant for people. Comments in code
 * and inside sentences are kept.
 */
export function withoutComments(text: string): string {
  const proseLines: string[] = [];
  const fences = new Fences();
  let rest = text;
  while (rest !== "") {
    const end = /^ {0,3}<!--/.test(rest) && !fences.isOpen ? rest.indexOf("-->") : -1;
    if (end >= 0) {
      rest = rest.slice(end + "-->".length);
      if (/^[ \t]*(?:\r?\n|$)/.test(rest)) rest = rest.replace(/^[ \t]*(?:\r?\n)?/, "");
      continue;
    }
    const line = /^[^\n]*\n?/.exec(rest)![0];
    fences.pass(line);
    proseLines.push(line);
    rest = rest.slice(line.length);
  }
  return proseLines.join("");
}

/** Returns the text without code and HTML. */
export function getProse(text: string): string {
  const proseLines: string[] = [];
  const fences = new Fences();
  let [inHtml, inList, afterBlank] = [false, false, true];
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    const isCode = fences.pass(line) || (afterBlank && !inList && /^(?: {4}|\t)/.test(line));
    inHtml = !isBlank && (inHtml || TAG.test(line));
    if (LIST.test(line)) inList = true;
    else if (line.startsWith("#") || (/^\S/.test(line) && afterBlank)) inList = false;
    if (!isCode && !inHtml) proseLines.push(line);
    if (!isCode || isBlank) afterBlank = isBlank;
  }
  return proseLines
    .join("\n")
    .replace(/(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[^])*?(?<!`)\1(?!`)/g, " code ");
}

/** Tracks whether lines are inside a code block, line by line. */
class Fences {
  #open: string | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether this line is part of a code block. */
  pass(line: string): boolean {
    if (this.#open === undefined) {
      this.#open = FENCE.exec(line)?.[1];
      return this.isOpen;
    }
    const bare = line.replace(/^[\s>]+/, "").trimEnd();
    const closes = bare.startsWith(this.#open) && /^(?:`+|~+)$/.test(bare);
    if (closes) this.#open = undefined;
    return true;
  }
}
