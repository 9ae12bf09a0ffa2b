import type { Item } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { type DisplayItemOfKind, isBody, toShortRawText, toShortText } from "../text/body.ts";

/** The row of the prompt that is being read: the last one at or above the first row in sight. */
export function findCurrentPrompt(prompts: readonly number[], top: number): number | undefined {
  return prompts.findLast((row) => row <= top) ?? prompts[0];
}

/** At most so many of the rows, evenly spread, with the first, the last, and the one that is read. */
export function thinOut(
  rows: readonly number[],
  limit: number,
  keep: number | undefined,
): readonly number[] {
  if (rows.length <= limit) return rows;
  const step = (rows.length - 1) / (limit - 1);
  const markedRows = new Set(Array.from({ length: limit }, (_, at) => rows[Math.round(at * step)]));
  if (keep !== undefined) markedRows.add(keep);
  return rows.filter((row) => markedRows.has(row));
}

/** The beginning of a prompt in one line. */
export function excerptPrompt(item: Item | undefined): string {
  if (item?.kind !== "prompt") return "";
  const { content } = item as DisplayItemOfKind<"prompt">;
  const texts = isBody(content)
    ? [content]
    : content.flatMap(({ text }) => (isBody(text) ? [text] : []));
  const words = texts.map((text) => toShortRawText(text, 400)).join(" ");
  const line = toShortText(words.trim().replaceAll(/\s+/g, " "), 80);
  return line === "" ? strings.conversation.promptWithImages : line;
}
