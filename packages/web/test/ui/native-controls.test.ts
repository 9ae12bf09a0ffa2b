import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";

const src = join(import.meta.dir, "../../src");

test("[PG92] no view uses the browser's own selects or tooltips", async () => {
  const found: string[] = [];
  for await (const path of new Glob("**/*.tsx").scan(src)) {
    const source = await Bun.file(join(src, path)).text();
    // An inner frame's title is its name for screen readers.
    for (const [tag] of source.matchAll(/<(?!iframe)[a-z][^<>]*?\stitle=|<select\b/g)) {
      found.push(`${path}: ${tag.split("\n", 1)[0] ?? ""}`);
    }
  }
  expect(found).toEqual([]);
});
