import { describe, expect, test } from "bun:test";
import {
  escapeForTerminal,
  escapeInJson,
  hasHiddenCharacters,
  isPlainLine,
  isPlainName,
  removeHiddenCharacters,
  toPlainName,
} from "../src/text/index.ts";

/** Text that people write: each example must be shown unchanged where it is read. */
const written = [
  "Grüße, שלום, 你好, العربية\n\tمی‌خواهم, क्‍ष",
  "ℹ️ 👩‍💻 👩🏽‍💻 ❤️‍🔥 🏳️‍🌈 1️⃣ #️⃣",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "葛\u{e0100}飾区, \u0601\u0661, a\u00a0b\u3000c, \u2800\u2801, \ue0b0",
];

/** Misleading texts, with what each one does. */
const misleading: readonly (readonly [string, string])[] = [
  ["\u001b[2J", "controls a terminal"],
  ["\u009b2J", "controls a terminal, in one character"],
  ["\u0000", "ends a string"],
  ["a\u202eb", "reverses the reading order"],
  ["a\u2066b", "isolates the reading order"],
  ["a\u061cb", "marks the reading order"],
  ["a\u200bb", "takes no room"],
  ["a\ufeffb", "takes no room"],
  ["a\u00adb", "is seen at the end of a line alone"],
  ["ad\u200dmin", "joins nothing"],
  ["a\u2028b", "breaks the line"],
  ["a\u{e0041}b", "is a tag without a flag"],
  ["a\ufe0fb", "varies an ASCII letter"],
  ["😀\u{e0102}\u{e0103}\u{e0104}", "carries data in a run of selectors"],
  ["a\u3164b", "is a letter without a shape"],
  ["a\u{1d173}b", "is a musical format character"],
  ["a\u{1bca0}b", "is a shorthand format character"],
  ["a\ud800b", "is half a character"],
];

describe("hidden characters", () => {
  test.each(misleading)("%j is hidden everywhere: it %s", (text) => {
    for (const use of ["prose", "name", "decision"] as const) {
      expect(hasHiddenCharacters(text, use)).toBe(true);
    }
    expect(hasHiddenCharacters(escapeForTerminal(text), "prose")).toBe(false);
    expect(hasHiddenCharacters(removeHiddenCharacters(text), "prose")).toBe(false);
    expect(isPlainName(toPlainName(text))).toBe(true);
    expect(isPlainLine(text)).toBe(false);
    const json = escapeInJson(JSON.stringify({ text }));
    expect(hasHiddenCharacters(json, "prose")).toBe(false);
    expect(JSON.parse(json)).toEqual({ text });
  });

  test.each(written)("%j is read as it was written", (text) => {
    expect(escapeForTerminal(text)).toBe(text);
    expect(removeHiddenCharacters(text)).toBe(text);
  });

  test("what is hidden in prose is hidden in names, and what is hidden in names, but line feed and tab, in decisions", () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0xe0200; code++) {
      if (code === 0x3400) code = 0xd7ff; // Chinese and Korean
      if (code === 0x20000) code = 0xe0000; // more Chinese, and planes that are not assigned
      const character = String.fromCodePoint(code);
      for (const text of [`a${character}b`, `я${character}я`, `😀${character}😀`]) {
        const [prose, name, decision] = (["prose", "name", "decision"] as const).map((use) =>
          hasHiddenCharacters(text, use),
        );
        const isSpacing = character === "\n" || character === "\t";
        if ((prose && !name) || (name && !decision && !isSpacing)) wrong.push(JSON.stringify(text));
      }
    }
    expect(wrong).toEqual([]);
  });

  test("a text that is nothing but hidden characters takes no longer than its length asks for", () => {
    const tags = "\u{e0041}".repeat(200_000);
    expect(removeHiddenCharacters(tags)).toBe("");
    expect(removeHiddenCharacters("\u{e0100}".repeat(200_000))).toBe("");
    expect(toPlainName("\u200d".repeat(200_000))).toBe("");
  });
});

describe("text for a terminal", () => {
  test("shows control characters as pictures and others by their number", () => {
    expect(escapeForTerminal("\x1b[2Jgone\x07\r\x7f\x9b1m")).toBe("␛[2Jgone␇␍␡<U+009B>1m");
    expect(escapeForTerminal("a\u202eb\u{e0041}")).toBe("a<U+202E>b<U+E0041>");
  });

  test("shows every carriage return, also one at the end of a line: it would let a line be covered", () => {
    expect(escapeForTerminal("a\r\nb\r")).toBe("a␍\nb␍");
    expect(removeHiddenCharacters("a\r\nb\r")).toBe("a\nb");
  });

  test("marks unusual spaces and selectors where a person decides", () => {
    expect(escapeForTerminal("rm -rf\u00a0~ ❤️", "decision")).toBe("rm -rf<U+00A0>~ ❤<U+FE0F>");
  });
});

describe("names", () => {
  test("[HH40] that come from outside become one line without hidden characters", () => {
    expect(toPlainName("fix\n\tit\u202e now\u001b[31m\u200b")).toBe("fix it now[31m");
    expect(toPlainName("\u202e\n")).toBe("");
    expect(toPlainName("👩‍💻 works")).toBe("👩‍💻 works");
  });
});
