import type { CutBody } from "@signalbox/protocol";
import type { Item } from "@signalbox/timeline";
import { isCut } from "../contract.ts";

/** The text of an item that is still being written; undefined: it does not grow (any more). */
export function growingText(item: Item): string | undefined {
  const text = growing(item);
  return isCut(text) ? undefined : text;
}

/** The place of the text of an item that is being written, and has grown too large to ride in it. */
export function growingCut(item: Item): CutBody | undefined {
  const text = growing(item);
  return isCut(text) ? text : undefined;
}

function growing(item: Item): string | CutBody | undefined {
  if (item.kind === "text" || item.kind === "thinking") return item.live ? item.text : undefined;
  if (item.kind === "tool") return item.payload ? undefined : (item.inputText ?? "");
  return undefined;
}

export function withText(item: Item, text: string): Item {
  if (item.kind === "text" || item.kind === "thinking") return { ...item, text };
  return item.kind === "tool" ? { ...item, inputText: text } : item;
}

/**
 * The text after a piece was put at its place. What is there already is not added again; undefined:
 * there is a gap before it, or it is another text.
 */
export function joined(text: string, at: number, piece: string): string | undefined {
  if (at > text.length) return undefined;
  if (at === text.length) return text + piece;
  const there = text.slice(at, at + piece.length);
  if (!piece.startsWith(there)) return undefined;
  return there.length === piece.length ? text : text + piece.slice(there.length);
}

/**
 * Which of two states of one item is to be shown. The stored text of one that is being written may lag
 * behind what was shown already; nothing that a person has read is taken away again.
 */
export function newer(held: Item, news: Item): Item {
  if (news.rev < held.rev) return held;
  const [mine, theirs] = [growingText(held), growingText(news)];
  const ahead = mine !== undefined && theirs !== undefined && mine.startsWith(theirs);
  if (news.rev === held.rev) return theirs === undefined || ahead ? held : news;
  return ahead && mine.length > theirs.length ? withText(news, mine) : news;
}
