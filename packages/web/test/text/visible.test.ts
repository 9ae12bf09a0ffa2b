import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import {
  hasHidden,
  hiddenIn,
  inert,
  spelled,
  steeringPieces,
  visiblePieces,
  withoutHidden,
} from "../../src/text/visible.ts";

setDefaultTimeout(180_000);

const marks = (text: string) =>
  visiblePieces(text).flatMap((piece) => (piece.kind === "mark" ? [piece.name] : []));

describe("text for decisions", () => {
  test("[IV3] marks put back are the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(
          visiblePieces(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  test.each([
    ["\u202e", "U+202E right-to-left override"],
    ["\u2066", "U+2066 left-to-right isolate"],
    ["\u200b", "U+200B zero-width space"],
    ["\u200d", "U+200D zero-width joiner"],
    ["\ufeff", "U+FEFF zero-width no-break space"],
    ["\u00ad", "U+00AD soft hyphen"],
    ["\u00a0", "U+00A0 no-break space"],
    ["\u001b", "U+001B escape"],
    ["\u0000", "U+0000 null"],
    ["\r", "U+000D carriage return"],
    ["\u009b", "U+009B"],
    ["\u2028", "U+2028 line separator"],
    ["\u3164", "U+3164 Hangul filler"],
    ["\u2800", "U+2800"],
    ["\ufe0f", "U+FE0F"],
    ["\u{e0041}", "U+E0041"],
    ["\ud800", "U+D800"],
    ["\ue000", "U+E000"],
  ])("[IV3] %j is a mark", (character, name) => {
    expect(marks(`a${character}b`)).toEqual([name]);
  });

  test("[IV3] what shows itself is left alone: letters of every script, line feeds, tabs", () => {
    expect(hasHidden("rm -rf 'a b'\n\tls — “näh” 你好 العربية 🚂")).toBe(false);
  });

  test("[IV13] in one line what reorders stands by its number, in commands all that hides", () => {
    const text = "a\u202eb\u2067c\u200f \u2764\ufe0f";
    expect(inert(text)).toBe("a⟨U+202E⟩b⟨U+2067⟩c⟨U+200F⟩ \u2764\ufe0f");
    expect(spelled(text)).toBe("a⟨U+202E⟩b⟨U+2067⟩c⟨U+200F⟩ \u2764⟨U+FE0F⟩");
    expect(inert("العربية")).toBe("العربية");
  });

  test("[IV3] hidden characters are counted, and can be taken out without the rest", () => {
    const text = "echo \u202eab\u200b\n\tls\u{e0041}";
    expect(hiddenIn(text)).toBe(3);
    expect(withoutHidden(text)).toBe("echo ab\n\tls");
    expect(hiddenIn(withoutHidden(text))).toBe(0);
  });
});

describe("text that is read", () => {
  const marks = (text: string) =>
    steeringPieces(text).flatMap((piece) => (piece.kind === "mark" ? [piece.sign] : []));

  test("[IV18] what steers, reorders or hides is a mark", () => {
    expect(marks("a\u202eb\u2066c\u2069")).toEqual(["U+202E", "U+2066", "U+2069"]);
    expect(marks("a\u0007\u001b[2K\rb\u200b\ufeff")).toEqual([
      "BEL",
      "ESC",
      "CR",
      "U+200B",
      "U+FEFF",
    ]);
    expect(marks("ad\u200dmin\u{e0041}")).toEqual(["U+200D", "U+E0041"]);
  });

  test("[IV18] what people write is none: lines, tabs, emoji, flags, letters that are joined", () => {
    const flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    const written = `a\r\n\tb\u00a0c \u2764\ufe0f\u200d\u{1f525} ${flag} \u0645\u06cc\u200c\u062e\u3000`;
    expect(marks(written)).toEqual([]);
    expect(inert(written)).toBe(written);
  });

  test("[IV18] nothing of it is lost: pieces make the text", () => {
    const text = "x\u202ey\u0000\r";
    expect(
      steeringPieces(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });
});
