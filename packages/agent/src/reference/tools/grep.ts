import { stat } from "node:fs/promises";
import { relative } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { judgeRead } from "../permission/files.ts";
import { absolute, isInside } from "../permission/paths.ts";
import { ruleForPath } from "../permission/verdict.ts";
import type { Session } from "../session.ts";
import { isOwn } from "./file-tools.ts";
import { hasRipgrep, ripgrep } from "./ripgrep.ts";
import { type Found, searchFiles } from "./search.ts";
import {
  count,
  flag,
  number,
  oneOf,
  type Output,
  shape,
  string,
  text,
  type Tool,
  ToolFailure,
} from "./tool.ts";

/** What is looked for, in words of our own. */
export interface Query {
  readonly pattern: string;
  readonly path: string;
  readonly glob?: string;
  readonly type?: string;
  readonly mode: "content" | "files_with_matches" | "count";
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
}

const DEFAULT_LIMIT = 250;

export const grep: Tool = {
  name: "Grep",
  description:
    "Searches the contents of files for a regular expression, as ripgrep does: ignored files are left out. Gives the files that match, the lines (output_mode content) or how many there are (count).",
  input: shape(
    { pattern: string("The regular expression") },
    {
      path: string("A file or a folder; the working folder unless said otherwise"),
      glob: string("Only files whose names fit, as in *.ts"),
      type: string("Only files of a kind: js, ts, py, rust, go, java …"),
      output_mode: oneOf(["content", "files_with_matches", "count"], "What to give back"),
      "-A": number("Lines after each match"),
      "-B": number("Lines before each match"),
      "-C": number("Lines before and after each match"),
      context: number("The same as -C"),
      "-n": flag("Line numbers; yes unless said otherwise"),
      "-i": flag("Ignore case"),
      multiline: flag("Let the expression span lines"),
      head_limit: number("How many lines or files to give at most; 0 for all"),
      offset: number("How many to leave out first"),
    },
  ),
  sideBySide: () => true,
  describe: (input) => text(input, "pattern"),
  doing: (input) => `Searching for ${text(input, "pattern")}`,
  judge: (input, { session, agent }) =>
    judgeRead(session.permission, placeOf(input, session), isOwn({ session, agent })),
  async run(input, { session, signal }) {
    const query = queryOf(input, session);
    if (!(await stat(query.path).catch(() => undefined))) {
      throw new ToolFailure(`Path does not exist: ${query.path}`);
    }
    const found = (await hasRipgrep(session.birth.environment["PATH"]))
      ? await ripgrep(query, session.birth.environment, signal)
      : await searchFiles(query, signal);
    const seen = found.filter(({ path }) => !ruleForPath(session.permission, "deny", "Read", path));
    return shown(seen, query, input, session);
  },
};

function placeOf(input: JsonObject, session: Session): string {
  return absolute(text(input, "path") || ".", session.birth.folder, session.home);
}

function queryOf(input: JsonObject, session: Session): Query {
  const around = count(input, "-C") ?? count(input, "context") ?? 0;
  const [glob, type] = [text(input, "glob"), text(input, "type")];
  return {
    pattern: text(input, "pattern"),
    path: placeOf(input, session),
    ...(glob === "" ? {} : { glob }),
    ...(type === "" ? {} : { type }),
    mode: (text(input, "output_mode") || "files_with_matches") as Query["mode"],
    ignoreCase: input["-i"] === true,
    multiline: input["multiline"] === true,
    before: count(input, "-B") ?? around,
    after: count(input, "-A") ?? around,
  };
}

async function shown(
  found: Found[],
  query: Query,
  input: JsonObject,
  session: Session,
): Promise<Output> {
  const { folder } = session.birth;
  const name = (path: string) => (isInside(path, folder) ? relative(folder, path) : path);
  const offset = count(input, "offset") ?? 0;
  const limit = count(input, "head_limit") ?? DEFAULT_LIMIT;
  const part = <T>(all: readonly T[]): T[] =>
    all.slice(offset, limit === 0 ? undefined : offset + limit);
  const cut = (total: number) =>
    limit !== 0 && total > offset + limit
      ? { appliedLimit: limit, ...(offset > 0 ? { appliedOffset: offset } : {}) }
      : {};
  const page = (total: number) =>
    limit !== 0 && total > offset + limit
      ? `\n\n[Showing results with pagination = limit: ${limit}${offset > 0 ? `, offset: ${offset}` : ""}]`
      : "";
  if (query.mode === "files_with_matches") {
    const files = await byTime(found.map(({ path }) => path));
    const filenames = part(files).map(name);
    const head = `Found ${files.length} file${files.length === 1 ? "" : "s"}`;
    return {
      content: files.length > 0 ? [head, ...filenames].join("\n") : "No files found",
      structured: {
        mode: query.mode,
        filenames,
        numFiles: filenames.length,
        totalFiles: files.length,
        ...cut(files.length),
      },
    };
  }
  if (query.mode === "count") {
    const lines = part(found).map(({ path, matches }) => `${name(path)}:${matches}`);
    const numMatches = found.reduce((sum, { matches }) => sum + matches, 0);
    const content = lines.join("\n");
    const total = `\n\nFound ${numMatches} total occurrences across ${found.length} files.`;
    return {
      content: (content || "No matches found") + total,
      structured: {
        mode: query.mode,
        numFiles: found.length,
        filenames: [],
        content,
        numMatches,
        ...cut(found.length),
      },
    };
  }
  const numbered = input["-n"] !== false;
  const isFile = found.length === 1 && found[0]?.path === query.path;
  const all = found.flatMap(({ path, lines }) =>
    lines.map(({ number, text, isMatch, isGap }) => {
      if (isGap) return "--";
      const sign = isMatch ? ":" : "-";
      return `${isFile ? "" : name(path) + sign}${numbered ? number + sign : ""}${text}`;
    }),
  );
  const lines = part(all);
  const content = lines.length > 0 ? lines.join("\n") : "No matches found";
  return {
    content: content + page(all.length),
    structured: {
      mode: query.mode,
      numFiles: 0,
      filenames: [],
      content: lines.join("\n"),
      numLines: lines.length,
      totalLines: all.length,
      ...cut(all.length),
    },
  };
}

async function byTime(paths: readonly string[]): Promise<string[]> {
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
