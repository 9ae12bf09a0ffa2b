import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Finding, makeFinding } from "./finding.ts";
import { readInside } from "./read-inside.ts";

const CONFIG_LIMIT = 1 << 20;
/** Git runs these by itself when it is asked for the state of a repository, as Claude Code does at its start. */
const running = /^(fsmonitor|clean|process|path)$/i;

/** A program that the repository's own Git configuration has Git run, by the name of its setting. */
export interface GitProgram {
  readonly key: string;
  readonly finding: Finding;
}

/** Those that run without any command of the agent's; hooks and the like need one. */
export function scanGitConfig(named: string): GitProgram[] {
  const gitFolder = realOrSame(named);
  const source = join(gitFolder, "config");
  const read = readInside(gitFolder, source, CONFIG_LIMIT);
  if (read.kind === "missing") return [];
  if (read.kind === "unreadable") {
    return [
      { key: "", finding: makeFinding("unreadable", source, `It cannot be read: ${read.why}.`) },
    ];
  }
  const programs: GitProgram[] = [];
  let section = "";
  for (const line of read.text.replaceAll(/\\\r?\n/g, "").split("\n")) {
    const [, header, quoted, rest = ""] =
      /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\](.*)$/.exec(line) ?? [];
    if (header !== undefined) section = quoted === undefined ? header : `${header}.${quoted}`;
    const [, name, value = ""] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(header === undefined ? line : rest) ?? [];
    if (name === undefined || !running.test(name) || isOrdinary(section, name, value.trim()))
      continue;
    const key = `${section}.${name}`;
    programs.push({ key, finding: makeFinding("git", source, `${key} = ${value.trim()}`) });
  }
  return programs;
}

function isOrdinary(section: string, name: string, value: string): boolean {
  if (/^fsmonitor$/i.test(name))
    return !/^core$/i.test(section) || /^(true|false|yes|no|on|off|0|1)?$/i.test(value);
  if (/^path$/i.test(name)) return !/^include(if)?(\.|$)/i.test(section);
  if (!/^filter(\.|$)/i.test(section)) return true;
  return /^"?git-lfs (clean|filter-process)( -- %f)?"?$/.test(value);
}

/** The `.git` folder of a checkout, and the main checkout where this one is a worktree of another. */
export function gitPlaces(folder: string): { gitFolder: string; main?: string } | undefined {
  const dotGit = join(folder, ".git");
  const read = readInside(folder, dotGit, 10_000);
  if (read.kind === "missing") return undefined;
  if (read.kind === "unreadable") return { gitFolder: dotGit }; // it is a folder, as it usually is
  const [, named] = /^gitdir: (.+)$/m.exec(read.text) ?? [];
  if (named === undefined) return undefined;
  const own = resolve(folder, named.trim());
  const shared = readInside(own, join(own, "commondir"), 10_000);
  if (shared.kind !== "text") return { gitFolder: own };
  const path = shared.text.trim();
  const common = isAbsolute(path) ? path : resolve(own, path);
  return { gitFolder: common, ...(common.endsWith("/.git") && { main: dirname(common) }) };
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
