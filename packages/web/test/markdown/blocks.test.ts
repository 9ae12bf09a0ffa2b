import { describe, expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { splitBlocks, collectDefinitions } from "../../src/markdown/blocks.ts";
import { parseBlock } from "../../src/markdown/parse.ts";

setDefaultTimeout(180_000);

const pieces = fc.constantFrom(
  ..."\n|\n\n|- |* |+ |1. |2) |  |    |\t|# |> |```|```js|~~~|$$|---|***|* * *|a|word|`x`|[a]|[a]: http://x|\\| a \\| b \\||-|1|==="
    .split(/(?<!\\)\|/)
    .map((piece) => piece.replaceAll("\\|", "|")),
);
const documents = fc.array(pieces, { maxLength: 40 }).map((list) => list.join(""));

describe("blocks of a text", () => {
  test("[IV1] joined they are the text", () => {
    fc.assert(fc.property(documents, (text) => expect(splitBlocks(text).join("")).toBe(text)));
  });

  test("[IV1] are final as soon as another has begun, wherever the text was cut", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const whole = splitBlocks(text);
        for (let at = 0; at <= text.length; at++) {
          const begun = splitBlocks(text.slice(0, at)).slice(0, -1);
          expect(whole.slice(0, begun.length)).toEqual(begun);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ["prose", "One.\n\nTwo.\nStill two.\n", ["One.\n\n", "Two.\nStill two.\n"]],
    ["code with blank lines", "```js\na\n\nb\n```\nafter", ["```js\na\n\nb\n```\n", "after"]],
    ["code right below prose", "So:\n```\na\n```\n", ["So:\n", "```\na\n```\n"]],
    ["a loose list", "- a\n\n- b\n\nafter", ["- a\n\n- b\n\n", "after"]],
    ["code in a list", "1. a\n\n   ```\n   x\n\n   y\n   ```\n2. b", undefined],
    ["code that opens on an item's line", "- ```\n  x\n\n  y\n  ```\n- b", undefined],
    ["a number that is no item", "In\n2. May it was", undefined],
    ["a heading by underlining", "Title\n---\n", undefined],
    ["mathematics", "$$\na\n\nb\n$$\nafter", ["$$\na\n\nb\n$$\n", "after"]],
  ])("keep together what belongs together: %s", (_, text, blocks) => {
    expect(splitBlocks(text)).toEqual(blocks ?? [text]);
  });

  test("mean the same as the whole text", () => {
    const text = [
      "# Title\n\nSome *prose* with `code`.\n",
      "- one\n- two\n\n  more of two\n  1. inner\n\n     ```ts\n     const a = 1;\n\n     ```\n- three\n",
      "> a quote\n> goes on\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "```py\nprint()\n\nprint()\n```\nright below\n\n---\n\n1. a\n2. b\n",
    ].join("\n");
    const kinds = (part: string) => parseBlock(part).children.map((node) => node.type);
    expect(splitBlocks(text).flatMap(kinds)).toEqual(kinds(text));
  });
});

test("definitions are found wherever they stand", () => {
  expect(collectDefinitions("a [b]\n\n[b]: https://x.test 'T'\nno [c]: d\n")).toBe(
    "[b]: https://x.test 'T'",
  );
});
