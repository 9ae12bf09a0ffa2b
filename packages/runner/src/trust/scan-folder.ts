import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Finding, type FolderScan, hashFindings, makeFinding } from "./finding.ts";
import { gitPlaces, isFolder } from "./git-places.ts";
import { findNestedClaudeFolders } from "./nested-claude-folders.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";
import { scanGit } from "./scan-git.ts";
import { scanMarkdown } from "./scan-markdown.ts";
import { scanMemory } from "./scan-memory.ts";
import { scanMcpServers, scanSettings } from "./scan-settings.ts";

const SETTINGS_LIMIT = 1 << 20;
const MARKDOWN_LIMIT = 256 << 10;
const MOST_FILES = 2000;
const MOST_FINDINGS = 500;
/** Links may lead in a circle. */
const DEEPEST = 32;

/** Folders of `.claude` whose Markdown files define something. */
const definitions = ["agents", "commands", "output-styles", "rules", "skills"];
/** Further things in `.claude` that some version of Claude Code acts on by itself. */
const acting: ReadonlySet<string> = new Set([
  "launch.json",
  "loop.md",
  "plugins",
  "routines",
  "scheduled_tasks.json",
  "workflows",
]);
/** Names inside a skill that would make more of it than text. */
const inSkills: ReadonlySet<string> = new Set([".claude-plugin", ".mcp.json", "hooks"]);

export interface ScanOptions {
  /** Folders that the agent is given beside its own. */
  readonly addDirs?: readonly string[];
  /** The agent's environment: it says where the user's own settings are, which are not the repository's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** How many folders below are looked into for further `.claude` folders. */
  readonly mostFolders?: number;
}

/**
 * What a folder would run, or allow, if its settings counted: of the folder itself, of all folders above
 * it (Claude Code 2.1.7 and 2.1.325 read their `.mcp.json`, commands and skills, 2.1.325 also the local
 * settings of the repository's root), of the main checkout of a worktree, and of the definitions in
 * `.claude` folders below it. Nothing is run or followed out of the repository.
 */
export function scanFolder(folder: string, options: ScanOptions = {}): FolderScan {
  const real = realpathSync(folder);
  const environment = options.environment ?? process.env;
  const home = environment["HOME"] ?? homedir();
  const own = userFolders(home, environment["CLAUDE_CONFIG_DIR"]);
  const findings = new Map<string, Finding>();
  const addDirs = (options.addDirs ?? []).flatMap(realPath);
  const places = [...withParents(real), ...addDirs];
  const seen = new Set<string>();
  const add = (found: readonly Finding[]) => {
    for (const finding of found) findings.set(finding.id, finding);
  };
  while (places.length > 0) {
    const place = places.shift() ?? "/";
    if (seen.has(place)) continue;
    seen.add(place);
    add(scanPlace(place, home, own));
    for (const git of gitPlaces(place)) {
      add(scanGit(place, git).findings);
      if (git.main !== undefined) places.push(...realPath(git.main));
    }
  }
  for (const top of new Set([real, ...addDirs])) add(scanNested(top, own, options.mostFolders));
  const all = [...findings.values()];
  const most = all.slice(0, MOST_FINDINGS);
  if (all.length > MOST_FINDINGS) {
    const text = `There are ${all.length} things in all; at most ${MOST_FINDINGS} can be shown.`;
    most.push(makeFinding("unreadable", real, text, { identity: hashFindings(all) }));
  }
  return { folder: real, findings: most, hash: hashFindings(most) };
}

function scanPlace(place: string, home: string, own: ReadonlySet<string>): Finding[] {
  const at = (name: string) => join(place, name);
  const mcp = scanFile(place, at(".mcp.json"), SETTINGS_LIMIT, scanMcpServers);
  if (own.has(at(".claude"))) return mcp;
  return [
    ...mcp,
    ...scanMemory(place, home),
    ...scanFile(place, at(".claude/settings.json"), SETTINGS_LIMIT, scanSettings),
    ...scanFile(place, at(".claude/settings.local.json"), SETTINGS_LIMIT, scanSettings),
    ...definitions.flatMap((name) => scanDefinitions(place, at(join(".claude", name)))),
    ...scanOthers(place, at(".claude")),
  ];
}

/** Definitions in `.claude` folders below a folder. Claude Code does not read the settings there. */
function scanNested(top: string, own: ReadonlySet<string>, most?: number): Finding[] {
  const { paths, isWhole } = findNestedClaudeFolders(top, most);
  const found = paths
    .filter((path) => !own.has(path))
    .flatMap((path) => definitions.flatMap((name) => scanDefinitions(top, join(path, name))));
  if (isWhole) return found;
  const text =
    "There are too many folders to look into all of them: .claude folders deep in it can hold skills that are not shown here.";
  return [...found, makeFinding("setting", top, text)];
}

type Scan = (root: string, source: string, text: string) => Finding[];

function scanFile(root: string, path: string, limit: number, scan: Scan): Finding[] {
  const read = readInside(root, path, limit);
  if (read.kind === "missing") return [];
  if (read.kind === "unreadable") return [unreadable(path, read.why)];
  return scan(root, path, read.text);
}

/** Markdown files below a folder of definitions, however deep. */
function scanDefinitions(root: string, folder: string): Finding[] {
  const found: Finding[] = [];
  let files = 0;
  const walk = (path: string, depth: number): void => {
    const entries = list(path);
    if (entries === "unreadable") return void found.push(unreadable(path, "it cannot be listed"));
    for (const entry of entries) {
      const inside = join(path, entry.name);
      if (++files > MOST_FILES) return;
      const leadsTo = entry.isSymbolicLink() ? realPath(inside)[0] : inside;
      if (inSkills.has(entry.name)) {
        found.push(makeFinding("plugin", inside, `${entry.name}: a part of a plugin`));
        found.push(...contents(root, inside));
      } else if (leadsTo === undefined || !isInsideRoot(root, leadsTo)) {
        found.push(unreadable(inside, "it is a link to a place outside of the repository"));
      } else if (entry.isDirectory() || (leadsTo !== inside && isFolder(leadsTo))) {
        if (depth < DEEPEST) walk(leadsTo, depth + 1);
        else found.push(unreadable(inside, "it lies too deep"));
      } else if (/\.md$/i.test(entry.name)) {
        found.push(...scanFile(root, inside, MARKDOWN_LIMIT, scanMarkdown));
      }
    }
  };
  walk(folder, 0);
  if (files > MOST_FILES) found.push(unreadable(folder, `it holds more than ${MOST_FILES} files`));
  return found;
}

/** Whatever else in `.claude` Claude Code may act on: shown by its name and told apart by its content. */
function scanOthers(root: string, folder: string): Finding[] {
  const entries = list(folder);
  if (entries === "unreadable") return [unreadable(folder, "it cannot be listed")];
  return entries.flatMap((entry) => {
    const isJson = entry.name.endsWith(".json") && !/^settings(\.local)?\.json$/.test(entry.name);
    return acting.has(entry.name) || isJson ? contents(root, join(folder, entry.name)) : [];
  });
}

/** Every file of a tree, with its content as text. */
function contents(root: string, path: string, depth = 0): Finding[] {
  const read = readInside(root, path, MARKDOWN_LIMIT);
  if (read.kind === "text") return [makeFinding("setting", path, read.text)];
  if (read.kind === "missing") return [];
  const entries = list(path);
  if (depth > DEEPEST) return [unreadable(path, "it lies too deep")];
  if (entries === "unreadable" || entries.length > 200)
    return [unreadable(path, "it cannot be read")];
  if (entries.length === 0) return read.why.includes("regular") ? [] : [unreadable(path, read.why)];
  return entries.flatMap((entry) => contents(root, join(path, entry.name), depth + 1));
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : "unreadable";
  }
}

function unreadable(path: string, why: string): Finding {
  return makeFinding("unreadable", path, `What it would run is not known: ${why}.`);
}

/** The folder itself first, then those above it. */
function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** Where the user's own settings are: they are no repository's. */
function userFolders(home: string, configured: string | undefined): ReadonlySet<string> {
  const named = [join(home, ".claude"), configured];
  return new Set(named.flatMap((path) => (path === undefined ? [] : [path, ...realPath(path)])));
}

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
