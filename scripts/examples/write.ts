// `npm run docs:examples` copies the examples into the documents that show them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listDocuments, updateExamples } from "./documents.ts";

for (const name of listDocuments()) {
  const path = join(import.meta.dir, "../..", name);
  const text = readFileSync(path, "utf8");
  const updated = updateExamples(text);
  if (updated === text) continue;
  writeFileSync(path, updated);
  console.log(`updated ${name}`);
}
