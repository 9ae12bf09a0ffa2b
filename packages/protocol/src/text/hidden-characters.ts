/**
 * The characters that a person cannot see, or that change how the text around them is read. Three
 * places need three sets, and each set contains the one before it (a test checks every code point):
 * - prose: text to read. Letters and emoji that need a joiner or a variation selector keep it.
 * - names: one line that must not look like another name.
 * - decisions: what a person is about to allow. Every unusual character is marked.
 *
 * Line feed and tab are hidden in names only.
 */
export type TextUse = "prose" | "name" | "decision";

/** Format characters with a visible shape, such as the Arabic number sign. */
const VISIBLE_FORMAT = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
const JOINERS = String.raw`\u200c\u200d`;
/** Tag characters: at most six follow a black flag in the flags of England, Scotland and Wales. */
const TAGS = String.raw`\u{e0000}-\u{e007f}`;
const VARIATION_SELECTORS = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
/** Letters without a visible shape. */
const BLANK_LETTERS = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0`;
/** More letters without a visible shape, which running text in Braille and Mongolian needs. */
const RARE_BLANKS = String.raw`\u180b-\u180f\u2800`;

const common = [
  String.raw`[\p{Cs}\p{Zl}\p{Zp}${BLANK_LETTERS}]`,
  String.raw`(?![${JOINERS}${TAGS}${VISIBLE_FORMAT}])\p{Cf}`,
  // A variation selector belongs to one letter or emoji; a run of them can carry hidden data.
  String.raw`(?<![^\p{ASCII}${VARIATION_SELECTORS}]|[0-9#*])[${VARIATION_SELECTORS}]`,
];
const patterns: Readonly<Record<TextUse, RegExp>> = {
  prose: union([
    String.raw`(?![\n\t]|\r(?=\n|$))\p{Cc}`,
    String.raw`(?<![^\p{ASCII}])[${JOINERS}]`,
    String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[${TAGS}]`,
    ...common,
  ]),
  name: union([
    String.raw`\p{Cc}`,
    String.raw`(?!(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic}))[${JOINERS}]`,
    String.raw`[${TAGS}${RARE_BLANKS}]`,
    ...common,
  ]),
  decision: union([
    String.raw`(?![\n\t])\p{Cc}`,
    String.raw`[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}${BLANK_LETTERS}${RARE_BLANKS}${VARIATION_SELECTORS}]`,
    String.raw`[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`, // Spaces other than the ordinary one.
  ]),
};

function union(alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join("|"), "gu");
}

/**
 * Matches each hidden character of a text. The pattern is global: use it with `matchAll` or
 * `replaceAll`.
 */
export function hiddenCharacters(use: TextUse): RegExp {
  return patterns[use];
}

export function hasHiddenCharacters(text: string, use: TextUse): boolean {
  return text.search(patterns[use]) >= 0;
}
