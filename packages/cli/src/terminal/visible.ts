/**
 * Control characters, invisible formatting and turns of the reading direction, except line breaks,
 * tabs and the joiner inside an emoji.
 */
const unseen =
  /(?![\n\t])\p{Cc}|(?!(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic}))\p{Cf}|[\u2028\u2029]/gu;

/** An agent's text is text: what would steer the terminal or hide is shown, not obeyed. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␛ and its like
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** Whether a text is one line with nothing in it that is not seen. */
export function isPlain(text: string): boolean {
  return visible(text) === text && !/[\n\t]/.test(text);
}

/** A value as one line of JSON that may be printed to a terminal: what is not seen is escaped. */
export function jsonLine(value: unknown): string {
  return escapeUnseen(JSON.stringify(value));
}

/** The same for JSON, which stays the JSON it was. */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
