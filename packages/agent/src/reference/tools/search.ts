import { readFile, stat } from "node:fs/promises";
import { basename, relative } from "node:path";
import { globToRegExp } from "../permission/glob.ts";
import type { Query } from "./grep.ts";
import { ToolFailure } from "./tool.ts";
import { walk } from "./walk.ts";

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Between two places that do not touch. */
  readonly isGap?: boolean;
}
export interface Found {
  readonly path: string;
  readonly matches: number;
  readonly lines: readonly FoundLine[];
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_LINE = 500;
const kinds: Record<string, readonly string[]> = {
  js: ["js", "jsx", "mjs", "cjs", "vue"],
  ts: ["ts", "tsx", "mts", "cts"],
  py: ["py", "pyi"],
  rust: ["rs"],
  go: ["go"],
  java: ["java", "jsp"],
  c: ["c", "h"],
  cpp: ["cpp", "cc", "cxx", "hpp", "hh", "h"],
  ruby: ["rb", "gemspec"],
  php: ["php"],
  css: ["css", "scss"],
  html: ["html", "htm"],
  json: ["json"],
  yaml: ["yaml", "yml"],
  md: ["md", "markdown", "mdx"],
  sh: ["sh", "bash", "zsh"],
  sql: ["sql"],
  toml: ["toml"],
  xml: ["xml"],
  txt: ["txt"],
};

/** Searches without ripgrep: slower, and with JavaScript's expressions. */
export async function searchFiles(query: Query, signal: AbortSignal): Promise<Found[]> {
  const expression = expressionOf(query);
  const wanted = filterOf(query);
  const found: Found[] = [];
  const files = (await stat(query.path)).isFile()
    ? [query.path]
    : walk(query.path, { ignores: true, signal });
  for await (const path of files) {
    if (path !== query.path && !wanted(path)) continue;
    const place = await stat(path).catch(() => undefined);
    if (!place?.isFile() || place.size > MAX_FILE_BYTES) continue;
    const bytes = await readFile(path).catch(() => undefined);
    if (!bytes || bytes.subarray(0, 8192).includes(0)) continue; // binary
    const result = searchText(bytes.toString("utf8"), expression, query);
    if (result.matches > 0) found.push({ path, ...result });
  }
  return found;
}

/** What ripgrep's expressions lack: they never look around or back, so that they never take long. */
const LOOKS_AROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]|(?<!\\)(?:\\\\)*\\[1-9]/;

export function rejected(why: string): ToolFailure {
  return new ToolFailure(
    `Search failed — ripgrep rejected the pattern, glob, or file type without searching:\n${why}`,
  );
}

function expressionOf({ pattern, ignoreCase, multiline }: Query): RegExp {
  if (LOOKS_AROUND.test(pattern)) {
    throw rejected(
      `regex parse error:\n    ${pattern}\nerror: look-around and backreferences are not supported`,
    );
  }
  const flags = `g${ignoreCase ? "i" : ""}${multiline ? "ms" : ""}`;
  try {
    return new RegExp(pattern, `${flags}u`); // for classes such as \p{Lu}
  } catch {
    // It may have an escape that is needless and therefore none in this mode.
  }
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw rejected(`regex parse error:\n    ${pattern}\nerror: ${(cause as Error).message}`);
  }
}

function filterOf({ glob, type, path }: Query): (file: string) => boolean {
  const globs = glob?.split(/[\s,]+(?![^{]*\})/).filter(Boolean) ?? [];
  const tests = globs.map((one) => {
    const negated = one.startsWith("!");
    const bare = negated ? one.slice(1) : one;
    return {
      test: globToRegExp(bare.includes("/") ? bare.replace(/^\//, "") : `**/${bare}`),
      negated,
    };
  });
  const endings = type === undefined ? undefined : kinds[type];
  if (type !== undefined && !endings) throw new ToolFailure(`unrecognized file type: ${type}`);
  return (file) => {
    if (endings && !endings.includes(basename(file).split(".").at(-1) ?? "")) return false;
    const way = relative(path, file);
    const positive = tests.filter(({ negated }) => !negated);
    if (tests.some(({ test, negated }) => negated && test.test(way))) return false;
    return positive.length === 0 || positive.some(({ test }) => test.test(way));
  };
}

function searchText(
  whole: string,
  expression: RegExp,
  { multiline, before, after, mode }: Query,
): { matches: number; lines: FoundLine[] } {
  const lines = whole.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const hits = multiline ? hitsAcross(whole, expression) : hitsByLine(lines, expression);
  if (mode !== "content") return { matches: hits.size, lines: [] };
  const shown = new Set<number>();
  for (const hit of hits) {
    const [from, to] = [Math.max(0, hit - before), Math.min(lines.length - 1, hit + after)];
    for (let at = from; at <= to; at++) shown.add(at);
  }
  const result: FoundLine[] = [];
  let last = -1;
  for (const at of [...shown].toSorted((one, other) => one - other)) {
    if (last >= 0 && at > last + 1 && before + after > 0) {
      result.push({ number: 0, text: "--", isMatch: false, isGap: true });
    }
    const line = lines[at] ?? "";
    const text = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} [… cut]` : line;
    result.push({ number: at + 1, text, isMatch: hits.has(at) });
    last = at;
  }
  return { matches: hits.size, lines: result };
}

function hitsByLine(lines: readonly string[], expression: RegExp): Set<number> {
  const hits = new Set<number>();
  for (const [at, line] of lines.entries()) {
    expression.lastIndex = 0;
    if (expression.test(line)) hits.add(at);
  }
  return hits;
}

function hitsAcross(whole: string, expression: RegExp): Set<number> {
  const hits = new Set<number>();
  for (const match of whole.matchAll(expression)) {
    const first = whole.slice(0, match.index).split("\n").length - 1;
    const more = match[0].replace(/\n$/, "").split("\n").length;
    for (let at = first; at < first + more; at++) hits.add(at);
  }
  return hits;
}
