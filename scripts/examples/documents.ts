import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/** A link to a file of `examples`, and the code block that follows it. */
const linkedExample = /(\[(examples\/[\w./-]+\.tsx?)\]\([^)]+\).*\n\n```tsx?\n)[\s\S]*?(```\n)/g;

/** The documents that show examples: the README of every package, and what stands in docs. */
export function listDocuments(): string[] {
  return globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: root }).toSorted();
}

/** The text of a document, with each example as it is in its file. */
export function updateExamples(text: string): string {
  return text.replaceAll(
    linkedExample,
    (_, before: string, path: string, after: string) =>
      `${before}${readFileSync(join(root, path), "utf8")}${after}`,
  );
}

/** The examples that a document shows: the path of each file, and its code. */
export function readExamples(text: string): { path: string; code: string }[] {
  return [...text.matchAll(linkedExample)].map(([block, before = "", path = "", after = ""]) => ({
    path,
    code: block.slice(before.length, -after.length),
  }));
}
