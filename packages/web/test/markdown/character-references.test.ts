import { expect, test } from "bun:test";
import { listReferences } from "../../build/character-references.ts";

test("the page's table of character references has the names that people write, and stays small", async () => {
  const references = await listReferences();
  expect(references).toMatchObject({
    amp: "&",
    lt: "<",
    nbsp: "\u00a0",
    copy: "©",
    eacute: "é",
    mdash: "—",
    hellip: "…",
    rarr: "→",
    ge: "≥",
    lambda: "λ",
    check: "✓",
  });
  expect(JSON.stringify(references).length).toBeLessThan(12_000);
});
