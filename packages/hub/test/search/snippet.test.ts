import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { growthFromTenth } from "@signalbox/testing/cpu";
import { makeSnippet } from "../../src/search/snippet.ts";
import { collectWordParts } from "../../src/search/word-parts.ts";

const word = (text: string, isPrefix = false) => ({ text, isPrefix });
const marked = (text: string, ...words: ReturnType<typeof word>[]) =>
  makeSnippet(text, words)
    .map((part) => (part.match ? `[${part.text}]` : part.text))
    .join("");

test("[SE4] the words are marked where they are words or parts of names", () => {
  expect(marked("readRows reads read_rows, rows2 and rowsome", word("rows"))).toBe(
    "read[Rows] reads read_[rows], [rows]2 and rowsome",
  );
  expect(marked("rowsome rows", word("row", true))).toBe("[row]some [row]s");
});

test("[SE4] the passage with most of the words is shown, its white space folded", () => {
  const filler = "lorem ipsum dolor sit amet ".repeat(20);
  const text = `alpha ${filler}\n\n alpha\tbeta  alpha ${filler}`;
  const snippet = marked(text, word("alpha"), word("beta"));
  expect(snippet).toContain("[alpha] [beta] [alpha]");
  expect(snippet.startsWith("…")).toBe(true);
  expect(snippet.length).toBeLessThan(220);
});

test("[SE9] a text in which a word is everywhere, but stands nowhere, takes no longer than another one", () => {
  const length = 2_000_000;
  const words = Array.from({ length: 40 }, (_, nth) => word("e".repeat(nth + 1), true));
  const search = (text: string) => {
    const whole = `start ${text.repeat(length / text.length)}`;
    return () => void makeSnippet(whole, words);
  };
  expect(growthFromTenth(search("lorem ipsum "), search("e"))).toBeLessThan(20);
});

test("[SE4] a snippet splits no character, whatever the text", () => {
  const unit = fc.constantFrom("a", "B", " ", "😀", "İ", "\n", "é");
  const texts = fc.array(unit, { maxLength: 600 }).map((all) => all.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      for (const { text: part } of makeSnippet(text, [word("a"), word("b", true)]))
        expect(part.isWellFormed()).toBe(true);
    }),
  );
});

test("[SE1] names of code are split into their parts", () => {
  expect(collectWordParts("needleHaystackValue HTTPServer read_rows plain")).toBe(
    "needle haystack value http server read rows",
  );
});
