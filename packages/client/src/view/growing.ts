import type { CutBody } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { growingText, replaceGrowingText } from "@signalbox/timeline/view";
import { isCutBody } from "../contract.ts";

/** Returns the text of an item that is still being written, if the item holds all of it. */
export function getWholeGrowingText(item: Item): string | undefined {
  const text: unknown = growingText(item);
  return isCutBody(text) ? undefined : (text as string | undefined);
}

/**
 * Returns the reference in place of the text of an item that is still being written and too large
 * to be sent with it.
 */
export function getCutGrowingText(item: Item): CutBody | undefined {
  const text: unknown = growingText(item);
  return isCutBody(text) ? text : undefined;
}

/**
 * Inserts a piece into the text at its offset. Text that is already there is not added again.
 * Undefined means that text is missing before the piece, or that the piece belongs to another text.
 */
export function insertPiece(text: string, at: number, piece: string): string | undefined {
  if (at > text.length) return undefined;
  if (at === text.length) return text + piece;
  const there = text.slice(at, at + piece.length);
  if (!piece.startsWith(there)) return undefined;
  return there.length === piece.length ? text : text + piece.slice(there.length);
}

/**
 * Picks the state of an item to show. The stored text of an item that is being written may lag
 * behind the text on the screen, and text that a person has read must not disappear.
 */
export function pickNewer(current: Item, update: Item): Item {
  if (update.rev < current.rev) return current;
  const [mine, theirs] = [getWholeGrowingText(current), getWholeGrowingText(update)];
  const ahead = mine !== undefined && theirs !== undefined && mine.startsWith(theirs);
  if (update.rev === current.rev) return theirs === undefined || ahead ? current : update;
  return ahead && mine.length > theirs.length ? replaceGrowingText(update, mine) : update;
}
