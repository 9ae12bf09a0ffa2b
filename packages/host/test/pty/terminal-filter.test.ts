import { describe, expect, test } from "bun:test";
import xterm from "@xterm/headless";
import * as fc from "fast-check";
import { TerminalFilter } from "../../src/pty/terminal-filter.ts";

const filter = (...pieces: string[]) => {
  const filtering = new TerminalFilter();
  return pieces.map((piece) => filtering.filter(piece)).join("");
};
const ESC = "\u001b";

const passing = {
  text: "plain text, naïve, 日本語, 🙂",
  colors: `${ESC}[1;38;2;10;20;30mred${ESC}[0m${ESC}[4:3m`,
  "cursor movement": `${ESC}[2J${ESC}[H${ESC}[10;20H${ESC}[3A${ESC}[?25l`,
  "the alternate screen, mouse and bracketed paste": `${ESC}[?1049h${ESC}[?1002;1006h${ESC}[?2004h`,
  "a link to the web": `${ESC}]8;id=1;https://example.com/a?b=c${ESC}\\here${ESC}]8;;${ESC}\\`,
  "line drawing characters": `${ESC}(0lqk${ESC}(B`,
  "the cursor's shape": `${ESC}[4 q`,
};
const removed = {
  "a clipboard write": `${ESC}]52;c;aGVsbG8=\u0007`,
  "a clipboard read": `${ESC}]52;c;?${ESC}\\`,
  "a title": `${ESC}]0;owned\u0007${ESC}]2;owned${ESC}\\`,
  "a link that is not to the web": `${ESC}]8;;file:///etc/passwd${ESC}\\${ESC}]8;;javascript:alert(1)\u0007`,
  "a device control string": `${ESC}P1$r0m${ESC}\\${ESC}P+q544e\u0007`,
  "the query for the cursor's position": `${ESC}[6n${ESC}[?6n${ESC}[5n`,
  "the query for device attributes": `${ESC}[c${ESC}[>c${ESC}[=c${ESC}[0c`,
  "the query for the version": `${ESC}[>0q${ESC}[>q`,
  "the query for a mode": `${ESC}[?2026$p${ESC}[4$p`,
  "the query for the keyboard": `${ESC}[?u${ESC}[>1u`,
  "window operations": `${ESC}[18t${ESC}[21t${ESC}[8;40;100t`,
  "a color query": `${ESC}]10;?${ESC}\\${ESC}]4;1;?\u0007${ESC}]11;?\u0007`,
  "a notification": `${ESC}]9;hello\u0007${ESC}]777;notify;a;b\u0007`,
  "C1 controls": "\u009b6n\u009d0;t\u009c\u0090q\u009c".replaceAll(/[^\u0080-\u009f]/g, ""),
  "NUL and DEL": "\u0000\u007f",
  "a query inside of a string that is cut off": `${ESC}]0;title${ESC}[6n`,
  "a C1 control inside of a sequence": `${ESC}(\u009b${ESC}[3\u009b${ESC}]8;;https://a\u009b`,
  "a C1 control in a link's parameters": `${ESC}]8;a\u009b`,
  "a sequence longer than any that passes": `${ESC}]8;;https://example.com/${"a".repeat(5000)}\u0007`,
};

describe("what a viewer's terminal gets", () => {
  for (const [name, text] of Object.entries(passing)) {
    test(`[TM1] ${name} passes`, () => expect(filter(text)).toBe(text));
  }
  for (const [name, text] of Object.entries(removed)) {
    test(`[TM2] ${name} is removed, and the text around it stays`, () => {
      expect(filter(`before${text}after`)).toBe("beforeafter");
    });
  }
  test("[TM3] is the same however the output is cut into pieces", () => {
    const all = [...Object.values(passing), ...Object.values(removed)].join("x");
    fc.assert(
      fc.property(fc.array(fc.nat(all.length), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), all.length];
        const pieces = places.slice(1).map((end, index) => all.slice(places[index], end));
        expect(filter(...pieces)).toBe(filter(all));
      }),
    );
  });

  test("[TM2] of whatever text, nothing that a terminal would answer or do is left", async () => {
    const pieces = [
      "\u001b",
      "[",
      "]",
      "(",
      "#",
      "P",
      "8;",
      "52;c;",
      "0;",
      "?",
      "6n",
      "c",
      "q",
      "$p",
      "t",
      "\u0007",
      "\u001b\\",
      "\u0018",
      "\u0085",
      "\u0090",
      "\u009b",
      "\u009c",
      "\u009d",
      "\u009e",
      "https://a",
      ";",
      "x",
      "é",
      "\n",
      "\u000e",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(""));
    const attacks = [`${ESC}(\u009b6n`, `${ESC}]8;a\u009b6n;https://a\u0007`];
    await fc.assert(
      fc.asyncProperty(text, async (output) => {
        expect(await watchTerminal(filter(output))).toEqual([]);
      }),
      { numRuns: 500, examples: attacks.map((attack) => [attack]) },
    );
  });
});

/** What a viewer's terminal does with a text beside drawing it. */
async function watchTerminal(text: string): Promise<string[]> {
  const terminal = new xterm.Terminal({ allowProposedApi: true });
  const done: string[] = [];
  terminal.onData((data) => void done.push(`answers ${JSON.stringify(data)}`));
  terminal.onBinary((data) => void done.push(`answers ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => void done.push(`has the title ${title}`));
  for (const code of [0, 1, 2, 4, 9, 10, 11, 12, 52, 777]) {
    terminal.parser.registerOscHandler(code, (data) => done.push(`gets OSC ${code} ${data}`) > 0);
  }
  for (const final of ["q", "p", "t"]) {
    for (const intermediates of ["", "$", "+"]) {
      const id = intermediates ? { intermediates, final } : { final };
      terminal.parser.registerDcsHandler(id, () => done.push(`gets DCS ${final}`) > 0);
    }
  }
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  terminal.dispose();
  return done;
}
