// The baseline of the import, in a process of its own: parses every transcript and inserts its texts into a bare
// FTS5 table. Prints the milliseconds that it took.
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [, , projects = "", file = ""] = process.argv;
const began = performance.now();
const db = new Database(file);
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = NORMAL");
db.run("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = \"unicode61 tokenchars '_'\")");
const insert = db.prepare("INSERT INTO texts VALUES (?)");
for (const project of readdirSync(projects)) {
  for (const name of readdirSync(join(projects, project))) {
    const lines = readFileSync(join(projects, project, name), "utf8").split("\n");
    db.run("BEGIN");
    for (const line of lines) {
      if (line === "") continue;
      const { message } = JSON.parse(line) as { message?: { content?: unknown } };
      for (const text of listTexts(message?.content)) insert.run(text);
    }
    db.run("COMMIT");
  }
}
db.close();
console.log(performance.now() - began);

function listTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { text?: string; content?: unknown; input?: object }) => [
    ...(typeof part.text === "string" ? [part.text] : []),
    ...(typeof part.content === "string" ? [part.content] : []),
    ...(part.input ? [Object.values(part.input).join("\n")] : []),
  ]);
}
