import { isOlder } from "../stdio/version.ts";

/** What a screen of Claude Code's terminal UI shows. */
export interface ScreenFacts {
  /** A dialog waits for a person. */
  readonly isAsking: boolean;
  /** The field for messages is there, and keys go to it. */
  readonly hasInput: boolean;
  /** What is in that field, without its suggestion. */
  readonly draft: string;
}

/** How to read the screens of the versions from `since` on. */
interface ScreenPatterns {
  readonly since: string;
  /** In one of the last rows of a dialog. */
  readonly dialogHint: RegExp;
  /** A row of a dialog that has no hint. */
  readonly dialogRow: RegExp;
  /** The beginning of the row of the field for messages. */
  readonly input: RegExp;
  /** The rule above and below that field. */
  readonly rule: RegExp;
}

/** The newest first. Tested on recorded screens of 2.1.7 and 2.1.325. */
const patterns: readonly ScreenPatterns[] = [
  {
    since: "0",
    dialogHint:
      /\b(?:esc(?:ape)? to (?:cancel|exit|reject|go back|close)|enter to (?:confirm|select|continue|submit)|press enter to continue)/i,
    dialogRow: /^\s*❯ 1\. \S/,
    input: /^\s?[❯>!][\s\u00a0]/,
    rule: /^[─━╭╰▔▁]{10,}/,
  },
];

/** The hint of a dialog is in one of so many last rows that are not empty. */
const HINT_ROWS = 4;
/** The longest dialog has its first choice in one of so many last rows. */
const CHOICE_ROWS = 12;

/** Reads a screen. `bright` is the same without what is printed dim, such as a suggestion. */
export function readScreen(text: string, version: string, bright: string = text): ScreenFacts {
  const { dialogHint, dialogRow, input, rule } = findPatterns(version);
  const rows = text.split("\n").map((row) => row.trimEnd());
  const filled = rows.filter((row) => row !== "");
  const at = findInput(rows, input, rule);
  if (at === undefined) {
    const hasHint = filled.slice(-HINT_ROWS).some((row) => dialogHint.test(row));
    const hasChoice = filled.slice(-CHOICE_ROWS).some((row) => dialogRow.test(row));
    return { isAsking: hasHint || hasChoice, hasInput: false, draft: "" };
  }
  const brightRows = bright.split("\n");
  const draft = brightRows
    .slice(at.first, at.end)
    .map((row, index) => (index === 0 ? `${row} `.replace(input, "") : row).trim())
    .join("\n")
    .trim();
  return { isAsking: false, hasInput: true, draft };
}

/** The rows of the field for messages: between two rules, near the end of the screen. */
function findInput(
  rows: readonly string[],
  input: RegExp,
  rule: RegExp,
): { first: number; end: number } | undefined {
  for (let end = rows.length - 1; end > 0; end -= 1) {
    if (!rule.test(rows[end] ?? "")) continue;
    for (let first = end - 1; first > 0; first -= 1) {
      if (!rule.test(rows[first - 1] ?? "")) continue;
      return input.test(`${rows[first]} `) ? { first, end } : undefined;
    }
    return undefined;
  }
  return undefined;
}

function findPatterns(version: string): ScreenPatterns {
  const found = patterns.find(({ since }) => !isOlder(version, since)) ?? patterns.at(-1);
  if (!found) throw new Error("There are no patterns for screens.");
  return found;
}
