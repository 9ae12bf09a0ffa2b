import * as z from "zod";

/**
 * Characters that a name must not hold: control characters and line breaks, invisible formatting, and
 * what changes the direction of reading. They make one name look like another, or steer a terminal. The
 * joiner inside an emoji is none of them.
 */
const misleading =
  /\p{Cc}|\p{Cs}|[\u2028\u2029]|(?!(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic}))\p{Cf}/gu;

/** Whether a name can be shown to a person as it is. */
export function isShownName(text: string): boolean {
  return text.search(misleading) < 0;
}

/**
 * A name that came from outside, such as a title that an agent made, as it may be shown: one line with
 * nothing misleading in it.
 */
export function toShownName(text: string): string {
  if (isShownName(text)) return text;
  const spaced = text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ");
  return spaced.replaceAll(misleading, "").trim();
}

/** A name that a person gives and others read: of a device, a session, an agent, a machine. */
export function shownName(longest: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine(isShownName, "must not hold line breaks, control characters or invisible characters");
}
