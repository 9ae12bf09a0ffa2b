import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dir, "..", name), "utf8");

test("the example in README.md is examples/host.ts, to the letter", () => {
  expect(read("README.md")).toContain(`\`\`\`ts\n${read("examples/host.ts")}\`\`\`\n`);
});
