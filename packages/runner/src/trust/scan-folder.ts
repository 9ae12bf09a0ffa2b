import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { decodeStrictly } from "@signalbox/host/git";
import { type Finding, type FolderScan, hashFindings, createFinding } from "./finding.ts";
import { sha256 } from "../sha256.ts";
import { findGitFolders, isFolder } from "./git-folders.ts";
import { type Entry, listEntries } from "./list-entries.ts";
import { findNestedClaudeFolders } from "./nested-claude-folders.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";
import { scanGit } from "./scan-git.ts";
import { scanMarkdown } from "./scan-markdown.ts";
import { scanMemory } from "./scan-memory.ts";
import { scanMcpServers, scanSettings } from "./scan-settings.ts";

const SETTINGS_LIMIT = 1 << 20;
const MARKDOWN_LIMIT = 256 << 10;
const MAX_FILES = 2000;
const MAX_FINDINGS = 500;
const NOT_TEXT = "its path is not valid UTF-8";
/** A limit, because links can be circular. */
const DEEPEST = 32;

/** Folders in `.claude` with Markdown files that define agents, commands and so on. */
const definitionFolders = ["agents", "commands", "output-styles", "rules", "skills"];
/** Other files in `.claude` that some version of Claude Code uses by itself. */
const activeFiles: ReadonlySet<string> = new Set([
  "launch.json",
  "loop.md",
  "plugins",
  "routines",
  "scheduled_tasks.json",
  "workflows",
]);
/** Names inside a skill that make it a plugin. */
const pluginParts: ReadonlySet<string> = new Set([".claude-plugin", ".mcp.json", "hooks"]);

export interface ScanOptions {
  /** Additional folders of the agent. */
  readonly addDirs?: readonly string[];
  /** The environment of the agent, which determines where the settings of the user are. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The most folders to search for nested `.claude` folders. */
  readonly mostFolders?: number;
}

/**
 * Finds everything that a folder would run or allow if its settings were used: in the folder itself, in all
 * folders above it (Claude Code 2.1.7 and 2.1.325 read their `.mcp.json`, commands and skills, 2.1.325 also the
 * local settings of the repository's root), in the main checkout of a worktree, and in the definitions of
 * `.claude` folders below it. Runs nothing and follows no link out of the repository.
 */
export function scanFolder(folder: string, options: ScanOptions = {}): FolderScan {
  const real = realpathSync(folder);
  const environment = options.environment ?? process.env;
  const home = environment["HOME"] ?? homedir();
  const userSettings = getUserFolders(home, environment["CLAUDE_CONFIG_DIR"]);
  const findings = new Map<string, Finding>();
  const addDirs = (options.addDirs ?? []).flatMap(resolveExisting);
  const places = [...listParents(real), ...addDirs];
  const seen = new Set<string>();
  const add = (found: readonly Finding[]) => {
    for (const finding of found) findings.set(finding.id, finding);
  };
  while (places.length > 0) {
    const place = places.shift() ?? "/";
    if (seen.has(place)) continue;
    seen.add(place);
    add(scanOneFolder(place, home, userSettings));
    for (const git of findGitFolders(place)) {
      add(scanGit(place, git).findings);
      if (git.main !== undefined) places.push(...resolveExisting(git.main));
    }
  }
  for (const top of new Set([real, ...addDirs]))
    add(scanNested(top, userSettings, options.mostFolders));
  const all = [...findings.values()];
  const most = all.slice(0, MAX_FINDINGS);
  if (all.length > MAX_FINDINGS) {
    const text = `There are ${all.length} items; only ${MAX_FINDINGS} can be shown.`;
    most.push(createFinding("unreadable", real, text, { identity: hashFindings(all) }));
  }
  return { folder: real, findings: most, hash: hashFindings(most) };
}

function scanOneFolder(place: string, home: string, own: ReadonlySet<string>): Finding[] {
  const at = (name: string) => join(place, name);
  const mcp = scanFile(place, at(".mcp.json"), SETTINGS_LIMIT, scanMcpServers);
  if (own.has(at(".claude"))) return mcp;
  return [
    ...mcp,
    ...scanMemory(place, home),
    ...scanFile(place, at(".claude/settings.json"), SETTINGS_LIMIT, scanSettings),
    ...scanFile(place, at(".claude/settings.local.json"), SETTINGS_LIMIT, scanSettings),
    ...definitionFolders.flatMap((name) => scanDefinitions(place, at(join(".claude", name)))),
    ...scanOthers(place, at(".claude")),
  ];
}

/** Definitions in `.claude` folders below a folder. Claude Code does not read the settings there. */
function scanNested(top: string, own: ReadonlySet<string>, most?: number): Finding[] {
  const { paths, unreadable, isComplete: isWhole } = findNestedClaudeFolders(top, most);
  const found = paths
    .filter((path) => !own.has(path))
    .flatMap((path) => definitionFolders.flatMap((name) => scanDefinitions(top, join(path, name))));
  found.push(...unreadable.map((path) => createUnreadable(path, NOT_TEXT)));
  if (isWhole) return found;
  const text =
    "There are too many folders to look into all of them: .claude folders deep in it can hold skills that are not shown here.";
  return [...found, createFinding("setting", top, text)];
}

type Scan = (root: string, source: string, text: string) => Finding[];

function scanFile(root: string, path: string, limit: number, scan: Scan): Finding[] {
  const read = readInside(root, path, limit);
  if (read.kind === "missing") return [];
  if (read.kind === "unreadable") return [createUnreadable(path, read.why)];
  return scan(root, path, read.text);
}

/** Scans the Markdown files below a folder of definitions at any depth. */
function scanDefinitions(root: string, folder: string): Finding[] {
  const found: Finding[] = [];
  let files = 0;
  const walk = (path: string, depth: number): void => {
    const entries = readFolder(path);
    if (entries === "unreadable")
      return void found.push(createUnreadable(path, "it cannot be listed"));
    for (const entry of entries) {
      const inside = join(path, entry.name);
      if (++files > MAX_FILES) return;
      const leadsTo = entry.isLink ? resolveExisting(inside)[0] : inside;
      const isMarkdown = /\.md$/i.test(entry.name);
      if (!entry.isText && (entry.isFolder || entry.isLink || isMarkdown)) {
        found.push(createUnreadable(inside, NOT_TEXT));
      } else if (pluginParts.has(entry.name)) {
        found.push(createFinding("plugin", inside, `${entry.name}: a part of a plugin`));
        found.push(...scanContents(root, inside));
      } else if (leadsTo === undefined || !isInsideRoot(root, leadsTo)) {
        found.push(createUnreadable(inside, "it is a link that leads out of the repository"));
      } else if (entry.isFolder || (leadsTo !== inside && isFolder(leadsTo))) {
        if (depth < DEEPEST) walk(leadsTo, depth + 1);
        else found.push(createUnreadable(inside, "it is nested too deeply"));
      } else if (isMarkdown) {
        found.push(...scanFile(root, inside, MARKDOWN_LIMIT, scanMarkdown));
      }
    }
  };
  walk(folder, 0);
  if (files > MAX_FILES)
    found.push(createUnreadable(folder, `it contains more than ${MAX_FILES} files`));
  return found;
}

/** Scans other files in `.claude` that Claude Code may use. Their content identifies them. */
function scanOthers(root: string, folder: string): Finding[] {
  const entries = readFolder(folder);
  if (entries === "unreadable") return [createUnreadable(folder, "it cannot be listed")];
  return entries.flatMap((entry) => {
    const inside = join(folder, entry.name);
    const isJson = entry.name.endsWith(".json") && !/^settings(\.local)?\.json$/.test(entry.name);
    if (isJson && !entry.isText) return [createUnreadable(inside, NOT_TEXT)];
    return activeFiles.has(entry.name) || isJson ? scanContents(root, inside) : [];
  });
}

/** Scans every file of a folder, with its content as text. */
function scanContents(root: string, path: string, depth = 0): Finding[] {
  const read = readInside(root, path, MARKDOWN_LIMIT);
  if (read.kind === "text") return [createFinding("setting", path, read.text, identify(read))];
  if (read.kind === "missing") return [];
  const entries = readFolder(path);
  if (depth > DEEPEST) return [createUnreadable(path, "it is nested too deeply")];
  if (entries === "unreadable" || entries.length > 200)
    return [createUnreadable(path, "it cannot be read")];
  if (entries.length === 0)
    return read.why.includes("regular") ? [] : [createUnreadable(path, read.why)];
  return entries.flatMap((entry) => {
    const inside = join(path, entry.name);
    return entry.isText
      ? scanContents(root, inside, depth + 1)
      : [createUnreadable(inside, NOT_TEXT)];
  });
}

/** Bytes that are not text are shown replaced, so that the text alone would not tell a change of them. */
function identify({ text, bytes }: { text: string; bytes: Uint8Array }) {
  return decodeStrictly(bytes) === undefined ? { identity: [text, sha256(bytes)] } : {};
}

function readFolder(folder: string): Entry[] | "unreadable" {
  try {
    return listEntries(folder);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : "unreadable";
  }
}

function createUnreadable(path: string, why: string): Finding {
  return createFinding("unreadable", path, `Couldn't determine what this would run: ${why}.`);
}

/** The folder itself, then the folders above it. */
function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
}

/** The folders with the settings of the user, which do not belong to a repository. */
function getUserFolders(home: string, configured: string | undefined): ReadonlySet<string> {
  const named = [join(home, ".claude"), configured];
  return new Set(
    named.flatMap((path) => (path === undefined ? [] : [path, ...resolveExisting(path)])),
  );
}

function resolveExisting(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
