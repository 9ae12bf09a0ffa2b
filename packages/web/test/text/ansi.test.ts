import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { ansiRuns, withoutAnsi } from "../../src/text/ansi.ts";

setDefaultTimeout(180_000);

const ESC = "\u001b";

describe("output of commands", () => {
  test("[IV4] no control character but tab and line feed comes through, whatever comes in", () => {
    const pieces = fc.constantFrom(
      ESC,
      "[",
      "]",
      "0;",
      "52;c;",
      "m",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "P",
      "31",
      ":",
      "a",
      "\n",
      "\r",
      "?25l",
      "8;;javascript:x",
    );
    fc.assert(
      fc.property(fc.array(pieces), (list) => {
        // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(withoutAnsi(list.join(""))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["a title", `${ESC}]0;title\u0007x`],
    ["the clipboard", `${ESC}]52;c;ZXZpbA==${ESC}\\x`],
    ["a link", `${ESC}]8;;https://a.test\u0007x${ESC}]8;;\u0007`],
    ["a device string", `${ESC}P$q"p${ESC}\\x`],
    ["a query", `${ESC}[6n${ESC}[c${ESC}[>q${ESC}[?1049$px`],
    ["moving and erasing", `${ESC}[2J${ESC}[1;1H${ESC}[Kx`],
    ["modes", `${ESC}[?25l${ESC}[?2004hx`],
    ["other escapes", `${ESC}c${ESC}(B${ESC}=${ESC}7x`],
    ["what reorders a line", "\u202e\u2066x\u2069\u202c"],
    ["the short forms", `\u009b31mx\u009b0m`],
  ])("[IV4] %s is dropped", (_, text) => {
    expect(withoutAnsi(text)).toBe("x");
  });

  test("[IV4] a string that never ends swallows no following line", () => {
    expect(withoutAnsi(`a${ESC}]0;hidden\nrm -rf /`)).toBe("a\nrm -rf /");
  });

  test("[IV4] colours and weights are kept", () => {
    expect(ansiRuns(`${ESC}[1;31mred${ESC}[22m, ${ESC}[39;44mon blue${ESC}[0m plain`)).toEqual([
      { text: "red", style: { bold: true, color: 1 } },
      { text: ", ", style: { color: 1 } },
      { text: "on blue", style: { background: 4 } },
      { text: " plain", style: {} },
    ]);
  });

  test.each([
    ["38;5;9", { color: 9 }],
    ["38;5;196", { color: "#ff0000" }],
    ["48;5;244", { background: "#808080" }],
    ["38;2;255;100;0", { color: "#ff6400" }],
    ["38:2:1:2:3", { color: "#010203" }],
    ["97;107", { color: 15, background: 15 }],
    ["38;5;999", {}],
    ["38;2;1;2", {}],
    ["38:2::1:2:3", { color: "#010203" }],
    ["5;8;58;5;1", {}],
    ["4:3", { underline: true }],
    ["4;4:0", {}],
  ])("[IV4] reads %s", (code, style: object) => {
    const [run] = ansiRuns(`${ESC}[${code}mx`);
    expect({ ...run?.style }).toEqual(style);
  });

  test("[IV4] a line that was overwritten shows its last writing", () => {
    expect(withoutAnsi("10 %\r60 %\r100 %\r\nnext\r\n")).toBe("100 %\nnext\n");
  });

  test("[IV4] a megabyte of escapes is dropped too", () => {
    const text = `${ESC}[31m${ESC}]`.repeat(150_000);
    expect(withoutAnsi(text)).toBe("");
  });
});
