import { hasHiddenCharacters, hiddenCharacters, type TextUse } from "./hidden-characters.ts";

/** Most text has nothing to escape, and this is much quicker than checking each character. */
const ordinary = /^[\x20-\x7e\n\t]*$/;
const carriageReturn = /\r/g;

/**
 * Makes text safe to print to a terminal: characters that would control it, change the reading
 * order or stay hidden are printed as a symbol or a number. A carriage return would let the next
 * line cover this one.
 */
export function escapeForTerminal(text: string, use: TextUse = "prose"): string {
  if (use !== "name" && ordinary.test(text)) return text;
  return text
    .replaceAll(hiddenCharacters(use), printableForm)
    .replaceAll(carriageReturn, printableForm);
}

function printableForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // A symbol such as ␛.
  return code === 0x7f ? "␡" : `<${codePointLabel(code)}>`;
}

/** Formats a code point, for example as `U+202E`. */
export function codePointLabel(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Removes the characters that `escapeForTerminal` would escape. */
export function removeHiddenCharacters(text: string): string {
  if (ordinary.test(text)) return text;
  return text.replaceAll(hiddenCharacters("prose"), "").replaceAll(carriageReturn, "");
}

/**
 * Makes JSON safe to print to a terminal or a log: hidden characters are escaped, and the value
 * stays the same.
 */
export function escapeInJson(json: string, use: TextUse = "prose"): string {
  if (ordinary.test(json)) return json;
  return json.replaceAll(hiddenCharacters(use), (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Whether a text is a single line that `escapeForTerminal` would not change. */
export function isPlainLine(text: string): boolean {
  return escapeForTerminal(text, "decision") === text && !/[\n\t]/.test(text);
}

/** Whether a name can be shown to a person unchanged. */
export function isPlainName(name: string): boolean {
  return !hasHiddenCharacters(name, "name");
}

/**
 * Turns a name from outside, such as a title that an agent wrote, into one line without hidden
 * characters.
 */
export function toPlainName(name: string): string {
  if (isPlainName(name)) return name;
  const oneLine = name.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ");
  return oneLine.replaceAll(hiddenCharacters("name"), "").trim();
}
