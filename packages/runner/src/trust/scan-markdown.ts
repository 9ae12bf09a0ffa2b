import { type Finding, createFinding, createPermission } from "./finding.ts";
import { hashReferencedFiles } from "./referenced-files.ts";

/** Fields of front matter that run nothing and allow nothing. All others are shown. */
const harmless: ReadonlySet<string> = new Set([
  "agent",
  "argument-hint",
  "arguments",
  "author",
  "background",
  "category",
  "color",
  "context",
  "description",
  "disable-model-invocation",
  "disallowed-tools",
  "disallowedTools",
  "effort",
  "globs",
  "keep-coding-instructions",
  "license",
  "maxTurns",
  "metadata",
  "model",
  "name",
  "paths",
  "skills",
  "tags",
  "title",
  "tools",
  "user-invocable",
  "version",
  "when_to_use",
]);
/** Fields that allow tools without a request. */
const permissionFields: ReadonlySet<string> = new Set([
  "allowed-tools",
  "allowedTools",
  "permissionMode",
]);

/** Finds what a command, skill, agent or other Markdown file of `.claude` would run or allow. */
export function scanMarkdown(root: string, source: string, text: string): Finding[] {
  const { fields, body, isReadable } = splitFrontMatter(text);
  if (!isReadable) {
    const shown = `unrecognized front matter: ${text.slice(0, text.length - body.length)}`;
    return [
      createFinding("setting", source, shown, { identity: text }),
      ...findScripts(root, source, text),
    ];
  }
  const found = [...fields].flatMap(([name, value]): Finding[] => {
    if (harmless.has(name)) return [];
    if (permissionFields.has(name)) return [createPermission(source, `${source}: ${value.trim()}`)];
    const kind = name === "hooks" ? "hook" : name === "mcpServers" ? "mcp-server" : "setting";
    const identity = [value, hashReferencedFiles(root, value)];
    return [createFinding(kind, source, value.trim(), { identity })];
  });
  return [...found, ...findScripts(root, source, text)];
}

/**
 * Finds shell commands that Claude Code runs when the command or skill is used. Each possible start is checked on
 * its own, because versions differ in which ones they run, and a start that only we recognize must not hide one
 * that Claude Code runs.
 */
function findScripts(root: string, source: string, text: string): Finding[] {
  const inline = [...text.matchAll(/!(?=`([^`]+)`)/g)].map(([, command = ""]) => command);
  const blocks = [...text.matchAll(/```!(?=([\s\S]*?)```)/g)].map(([, block = ""]) => block);
  return [...inline, ...blocks].map((command) =>
    createFinding("script", source, command.trim(), {
      identity: [command, hashReferencedFiles(root, command)],
    }),
  );
}

/**
 * Splits front matter into its top-level fields. It is not parsed as YAML: anything except a field on one line,
 * with or without indented lines below it, makes the front matter unreadable, and it is shown in full.
 */
function splitFrontMatter(text: string): {
  fields: ReadonlyMap<string, string>;
  body: string;
  isReadable: boolean;
} {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, matter, body] =
    /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n([\s\S]*))?$/.exec(plain) ?? [];
  if (matter === undefined) {
    return { fields: new Map(), body: plain, isReadable: !/^\s*---/.test(plain) };
  }
  const fields = new Map<string, string>();
  let last: string | undefined;
  let isReadable = true;
  for (const line of matter.split("\n")) {
    const [, name] = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t].*)?$/.exec(line) ?? [];
    if (name !== undefined && !fields.has(name)) {
      fields.set(name, line);
      last = name;
    } else if (line.trim() === "" || line.startsWith("#")) {
      continue;
    } else if (last !== undefined && /^([ \t]|- )/.test(line)) {
      fields.set(last, `${fields.get(last)}\n${line}`);
    } else {
      isReadable = false;
    }
  }
  return { fields, body: body ?? "", isReadable };
}
