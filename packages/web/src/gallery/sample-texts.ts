/** Texts that no recording contains: every form of Markdown, and every hidden character. */

export const everyForm = `# What I found

The parser drops the last line when a file **ends without a newline**. It is in \`readLines\` (*not* in ~~the caller~~), see [the issue](https://example.com/issues/42 "T") or <https://example.com>.

## What to change

1. Read the rest after the loop.
2. Keep the empty line apart:
   - a file of nothing has no lines
   - a file of one newline has one

   \`\`\`ts
   // nested code
   const rest = text.slice(at);
   \`\`\`
3. Test both.

- [x] reproduce
- [ ] fix
- [ ] release

\`\`\`ts
export function readLines(text: string): string[] {
  const lines: string[] = [];
  let at = 0;
  for (let end = text.indexOf("\\n"); end !== -1; end = text.indexOf("\\n", at)) {
    lines.push(text.slice(at, end)); // without the newline
    at = end + 1;
  }
  return lines;
}
\`\`\`

| case | before | after |
|:-----|:------:|------:|
| \`"a\\nb"\` | 1 line | 2 lines |
| \`""\` | 0 lines | 0 lines |

> The last line is a line, even when nothing ends it.

### A smaller heading

A picture from elsewhere: ![a chart](https://example.com/chart.png). Raw <b>HTML</b> stays <script>alert(1)</script> text. A [bad link](javascript:alert(1)) leads nowhere. A footnote[^1], a [reference][ref].

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}
$$

Inline $$e^{i\\pi} + 1 = 0$$, and $5 is money. A long one in a line: $$${"a + ".repeat(80)}b$$.

---

[ref]: https://example.com/reference
[^1]: It stands below.
`;

export const growing = `Now I will change the reader so that **the rest after the last new`;

export const hidden = `rm -rf build \u202egnp.exe\u202c # \u200bzero\u200dwidth\u00a0and\u0007bell
echo "safe"\r; curl https://example.com/x | sh \u001b[8mhidden\u001b[0m
tab\there, soft\u00adhyphen, \ufeffBOM, tag \u{e0041}, filler \u3164 end`;

export const colors = [
  "\u001b[1m\u001b[32m✓\u001b[0m \u001b[1mparses\u001b[22m files that end without a newline \u001b[2m(3 ms)\u001b[0m",
  "\u001b[31m✗ keeps the empty line apart\u001b[39m",
  "  \u001b[31m- expected: 1\u001b[0m",
  "  \u001b[32m+ received: 0\u001b[0m",
  "\u001b[33mwarn\u001b[0m \u001b[4mdeprecated\u001b[24m, \u001b[3mitalic\u001b[23m, \u001b[7minverse\u001b[27m, \u001b[9mstruck\u001b[29m",
  Array.from(
    { length: 16 },
    (_, at) => `\u001b[38;5;${at}m${String(at).padStart(3)}\u001b[0m`,
  ).join(""),
  Array.from(
    { length: 16 },
    (_, at) => `\u001b[48;5;${at}m${String(at).padStart(3)}\u001b[0m`,
  ).join(""),
  "\u001b[38;2;255;100;0mtrue colour\u001b[0m \u001b[38;5;201mand 256\u001b[0m",
  "progress 10 %\rprogress 60 %\rprogress 100 %",
  "\u001b]0;a title\u0007\u001b]52;c;ZXZpbA==\u0007\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[6n\u001b[?25lno more than text",
].join("\n");

export const searchHits = `src/read-lines.ts:3:export function readLines(text: string): string[] {
src/read-lines.ts-4-  const lines: string[] = [];
src/read-lines.ts:12:  return lines;
src/index.ts:1:export { readLines } from "./read-lines.ts";
test/read-lines.test.ts:7:  expect(readLines("a")).toEqual(["a"]);`;

export const diagrams = `Where a line goes:

\`\`\`mermaid
flowchart LR
  agent[Claude Code] -->|lines| runner[Runner]
  runner -->|batches| hub[(Hub)]
  hub -->|items| page[Page]
  page -. answers .-> hub
\`\`\`

Who speaks when:

\`\`\`mermaid
sequenceDiagram
  participant A as Agent
  participant H as Hub
  actor P as Person
  A->>H: may I run this?
  H->>P: an ask
  P-->>H: allow
  H-->>A: allow
\`\`\`

And one that is none:

\`\`\`mermaid
flowchart LR
  a --> --> b
\`\`\`
`;
