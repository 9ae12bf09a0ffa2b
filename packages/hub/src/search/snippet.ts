import type { SearchQuery } from "./parse-query.ts";

/** A piece of a snippet; `match`: it is one of the words that were looked for. */
export interface SnippetPart {
  readonly text: string;
  readonly match?: true;
}

type Word = SearchQuery["words"][number];
interface Range {
  readonly start: number;
  readonly end: number;
}

const LENGTH = 180;
const BEFORE = 60;
/** Matches beyond the first thousands of characters are found, but not all matches of a huge text are compared. */
const MAX_MATCHES = 200;
/** Places that are tried in one text. An agent may print a letter millions of times, and a person search for it. */
const MAX_TRIED = 10_000;
/** Words that are marked. Each costs a walk through the text. */
const MAX_WORDS = 10;

/**
 * The passage of a text that has most of the words near each other, with the words marked. White space is
 * folded. Without a match it is the beginning of the text.
 */
export function makeSnippet(text: string, words: readonly Word[]): SnippetPart[] {
  const matches = findMatches(text, words);
  const start = chooseStart(text, matches);
  const end = Math.min(text.length, alignToCharacter(text, start + LENGTH));
  const parts: SnippetPart[] = [];
  const add = (from: number, to: number, match?: true) => {
    const piece = text.slice(from, to).replaceAll(/\s+/gu, " ");
    if (piece !== "") parts.push({ text: piece, ...(match && { match }) });
  };
  if (start > 0) parts.push({ text: "…" });
  let at = start;
  for (const match of matches) {
    if (match.start < at || match.start >= end) continue;
    add(at, match.start);
    add(match.start, Math.min(match.end, end), true);
    at = Math.min(match.end, end);
  }
  add(at, end);
  if (end < text.length) parts.push({ text: "…" });
  return joinPlain(parts);
}

/** Every place where a word stands as a word, or as a part of a word of code; ordered, without overlaps. */
function findMatches(text: string, words: readonly Word[]): Range[] {
  const lower = text.toLowerCase();
  // Few characters change their length in lower case. Where they do, nothing is marked.
  if (lower.length !== text.length) return [];
  const found: Range[] = [];
  let tried = 0;
  for (const word of words.slice(0, MAX_WORDS)) {
    if (word.text === "") continue;
    let at = lower.indexOf(word.text);
    for (let count = 0; at !== -1 && count < MAX_MATCHES && tried < MAX_TRIED; tried++) {
      const end = at + word.text.length;
      if (isBoundary(text, at) && (word.isPrefix || isBoundary(text, end))) {
        found.push({ start: at, end });
        count++;
      }
      at = lower.indexOf(word.text, at + 1);
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const separate: Range[] = [];
  for (const range of found) {
    if (range.start >= (separate.at(-1)?.end ?? 0)) separate.push(range);
  }
  return separate;
}

const CHARACTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether a word, or a part of a word of code, may begin or end between these two characters. */
function isBoundary(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at);
  if (!CHARACTER.test(before) || !CHARACTER.test(after)) return true;
  if (/\p{N}/u.test(before) !== /\p{N}/u.test(after)) return true;
  return /\p{Lu}/u.test(after) && (/\p{Ll}/u.test(before) || /\p{Ll}/u.test(text.charAt(at + 1)));
}

/** The window with the most matches; the first of several. */
function chooseStart(text: string, matches: readonly Range[]): number {
  let best = { count: 0, start: 0 };
  for (const [index, { start }] of matches.entries()) {
    let count = 1;
    while ((matches[index + count]?.end ?? Number.POSITIVE_INFINITY) <= start + LENGTH - BEFORE)
      count++;
    if (count > best.count) best = { count, start };
  }
  if (best.start <= BEFORE) return 0;
  const from = best.start - BEFORE;
  const space = text.slice(from, best.start).search(/\s\S/u);
  return alignToCharacter(text, space === -1 ? from : from + space + 1);
}

/** A position that does not split a surrogate pair. */
function alignToCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function joinPlain(parts: readonly SnippetPart[]): SnippetPart[] {
  const joined: SnippetPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && !last.match && !part.match) {
      joined[joined.length - 1] = { text: last.text + part.text };
    } else joined.push(part);
  }
  return joined;
}
