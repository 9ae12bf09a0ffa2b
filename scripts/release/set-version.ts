// `npm run release:version -- 0.2.0` gives every package that version and the changelog a section for it.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";
import { run } from "./run.ts";
import { addChangelogSection, replaceVersion } from "./version-texts.ts";

const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) {
  console.error("usage: npm run release:version -- VERSION, such as 0.2.0");
  process.exit(2);
}

for (const path of globSync("packages/*/package.json", { cwd: root })) {
  const file = join(root, path);
  writeFileSync(file, replaceVersion(readFileSync(file, "utf8"), version));
}
const changelog = join(root, "CHANGELOG.md");
const today = new Date().toISOString().slice(0, 10);
const text = readFileSync(changelog, "utf8");
writeFileSync(changelog, addChangelogSection(text, { version, date: today }));
await run("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"]);
console.log(`all packages have version ${version}; CHANGELOG.md has a section for it`);
