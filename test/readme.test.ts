import { describe, expect, test } from "bun:test";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { updateExamples } from "../scripts/examples/documents.ts";

const root = join(import.meta.dir, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");

const documents = globSync(["*.md", ".github/*.md", "docs/**/*.md", "packages/*/README.md"], {
  cwd: root,
}).toSorted();

/** What GitHub makes of a heading: the part of a link after `#`. */
function toAnchor(heading: string): string {
  const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return text.trim().replaceAll(" ", "-");
}

function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));
}

/** Text without code: what looks like a link there is none. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "");
}

function findBrokenLinks(name: string): string[] {
  const targets = [...withoutCode(read(name)).matchAll(/\]\(([^)\s]+)\)/g)];
  return targets.flatMap(([, target = ""]) => {
    if (/^https?:/.test(target)) return [];
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? name : join(dirname(name), path);
    if (!existsSync(join(root, file))) return [target];
    if (anchor === undefined || listAnchors(read(file)).includes(anchor)) return [];
    return [target];
  });
}

describe("the documents", () => {
  test.each(documents)("link to what exists: %s", (name) => {
    expect(findBrokenLinks(name)).toEqual([]);
  });

  test("name scripts of package.json", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = ""]) => script),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  test("name commands of signalbox", () => {
    const main = read("packages/cli/src/main.ts");
    const commands = [...main.matchAll(/import\("\.\/commands\/([\w-]+)\.ts"\)/g)].map(
      ([, command = ""]) => command,
    );
    expect(commands).toContain("serve");
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/npx signalbox ([a-z][\w-]*)/g)].map(([, command = ""]) => command),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((command) => !commands.includes(command))).toEqual([]);
    const described = read("docs/command-line.md");
    expect(commands.filter((command) => !described.includes(command))).toEqual([]);
  });

  test("name options of signalbox, in docs/command-line.md", () => {
    const sources = globSync("packages/cli/src/**/*.ts", { cwd: root }).map(read).join("\n");
    const named = [...read("docs/command-line.md").matchAll(/--[a-z][a-z-]+/g)].map(
      ([name]) => name,
    );
    expect(named.length).toBeGreaterThan(30);
    const unknown = named.filter((name) => !sources.includes(name));
    expect(unknown).toEqual([]);
  });

  test("show examples as they are in their files", () => {
    expect(updateExamples(read("docs/libraries.md"))).toBe(read("docs/libraries.md"));
  });
});
