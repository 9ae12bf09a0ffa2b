import { removeHiddenCharacters } from "@signalbox/protocol/text";

const WIDTH = 160;

export function toSingleLine(text = ""): string {
  const flat = makeSafe(text).replaceAll(/\s+/g, " ").trim();
  return flat.length > WIDTH ? `${flat.slice(0, WIDTH)}…` : flat;
}

/**
 * Removes characters that would move the cursor, change the terminal, be invisible, or change the
 * reading order.
 */
export function makeSafe(text: string): string {
  return removeHiddenCharacters(text);
}
