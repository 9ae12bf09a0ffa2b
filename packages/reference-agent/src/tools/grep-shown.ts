import { stat } from "node:fs/promises";
import { relative } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { isInside } from "../files/paths.ts";
import type { FoundLines } from "./grep-found.ts";

/** The result for the model and for the host. */
export interface Shown {
  readonly content: string;
  readonly structured: JsonObject;
}

/** The part of the result to return. */
interface Page {
  /** Paths are shown relative to this folder. */
  readonly folder: string;
  readonly offset: number;
  /** 0 means everything. */
  readonly limit: number | undefined;
}

const DEFAULT_LIMIT = 250;

export function showFiles(paths: readonly string[], page: Page): Shown {
  const { items, facts, words } = part(paths, page);
  const filenames = items.map((path) => getName(path, page));
  const head = `Found ${plural(filenames.length, "file")}${words === "" ? "" : ` ${words}`}`;
  const none =
    paths.length > 0 ? `No entries at this offset.${describePages(words)}` : "No files found";
  return {
    content: filenames.length > 0 ? [head, ...filenames].join("\n") : none,
    structured: {
      mode: "files_with_matches",
      filenames,
      numFiles: filenames.length,
      totalFiles: paths.length,
      ...facts,
    },
  };
}

export function showCounts(
  files: readonly { readonly path: string; readonly matches: number }[],
  page: Page,
): Shown {
  const { items, facts, words } = part(files, page);
  const content = items.map(({ path, matches }) => `${getName(path, page)}:${matches}`).join("\n");
  const numMatches = files.reduce((sum, { matches }) => sum + matches, 0);
  const total = `Found ${plural(numMatches, "total occurrence")} across ${plural(files.length, "file")}.`;
  return {
    content: `${content || nothing(numMatches)}\n\n${total}${words === "" ? "" : ` with pagination = ${words}`}`,
    structured: {
      mode: "count",
      numFiles: files.length,
      filenames: [],
      content,
      numMatches,
      ...facts,
    },
  };
}

export function showLines(
  files: readonly (FoundLines & { readonly path: string })[],
  page: Page,
  { isNumbered, isNamed, hasGaps }: { isNumbered: boolean; isNamed: boolean; hasGaps: boolean },
): Shown {
  const all = files.flatMap(({ path, lines, binaryAt }, at) => {
    const name = isNamed ? getName(path, page) : "";
    const shown = lines.map(({ number, text, isMatch, isGap }) => {
      if (isGap) return "--";
      const sign = isMatch ? ":" : "-";
      return `${name && name + sign}${isNumbered ? number + sign : ""}${text}`;
    });
    const binary = `${name && `${name}:`}binary file matches (found "\\0" byte around offset ${binaryAt})`;
    return [
      ...(hasGaps && at > 0 ? ["--"] : []),
      ...shown,
      ...(binaryAt === undefined ? [] : [binary]),
    ];
  });
  const { items, facts, words } = part(all, page);
  const content = items.join("\n");
  return {
    content:
      (content || nothing(all.length)) + (words === "" ? "" : `\n\n${describePages(words).trim()}`),
    structured: {
      mode: "content",
      numFiles: 0,
      filenames: [],
      content,
      numLines: items.length,
      totalLines: all.length,
      ...facts,
    },
  };
}

function part<T>(all: readonly T[], { offset, limit = DEFAULT_LIMIT }: Page) {
  const isCut = limit > 0 && all.length > offset + limit;
  return {
    items: all.slice(offset, limit === 0 ? undefined : offset + limit),
    facts: {
      ...(isCut ? { appliedLimit: limit } : {}),
      ...(offset > 0 ? { appliedOffset: offset } : {}),
    },
    words: [
      ...(isCut ? [`limit: ${limit}`] : []),
      ...(offset > 0 ? [`offset: ${offset}`] : []),
    ].join(", "),
  };
}

const describePages = (words: string) => ` [Showing results with pagination = ${words}]`;
const nothing = (total: number) => (total > 0 ? "No entries at this offset" : "No matches found");
const plural = (many: number, what: string) => `${many} ${what}${many === 1 ? "" : "s"}`;
const getName = (path: string, { folder }: Page) =>
  isInside(path, folder) ? relative(folder, path) : path;

/** Sorts paths, most recently changed first. */
export async function byTime(paths: readonly string[]): Promise<string[]> {
  const timed = await Promise.all(
    paths.map(async (path) => ({
      path,
      at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  return timed
    .toSorted((one, other) => other.at - one.at || one.path.localeCompare(other.path))
    .map(({ path }) => path);
}
