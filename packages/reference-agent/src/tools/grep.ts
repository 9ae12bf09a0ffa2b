import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { judgeRead } from "../permission/files.ts";
import { absolute } from "../files/paths.ts";
import { ruleForPath } from "../permission/verdict.ts";
import type { Session } from "../session.ts";
import { isOwn } from "./file-tools.ts";
import { readCounts, readLines, readNames } from "./grep-found.ts";
import { getMode, ripgrepArguments, getContextOptions } from "./grep-query.ts";
import { byTime, showCounts, showFiles, showLines, type Shown } from "./grep-shown.ts";
import { ripgrep } from "./ripgrep.ts";
import {
  count,
  flag,
  number,
  getOne,
  shape,
  string,
  text,
  type Tool,
  ToolFailure,
} from "../tool.ts";

export const grep: Tool = {
  name: "Grep",
  description:
    "Searches the contents of files for a regular expression, with ripgrep: ignored files are left out. Gives the files that match, the lines (output_mode content) or how many there are (count).",
  input: shape(
    { pattern: string("The regular expression, as ripgrep knows them") },
    {
      path: string("A file or a folder; the working folder unless said otherwise"),
      glob: string("Only files whose names fit, as in *.ts or *.{ts,tsx}; !*.ts for all others"),
      type: string("Only files of a kind that ripgrep knows: js, ts, py, rust, go, java …"),
      output_mode: getOne(["content", "files_with_matches", "count"], "What to give back"),
      "-A": number("Lines after each match"),
      "-B": number("Lines before each match"),
      "-C": number("Lines before and after each match"),
      context: number("The same as -C"),
      "-n": flag("Line numbers; yes unless said otherwise"),
      "-i": flag("Ignore case"),
      "-o": flag("Only what matched of each line"),
      multiline: flag("Let the expression span lines"),
      head_limit: number("How many lines or files to give at most; 0 for all"),
      offset: number("How many to leave out first"),
    },
  ),
  sideBySide: () => true,
  describe: (input) => text(input, "pattern"),
  doing: (input) => `Searching for ${text(input, "pattern")}`,
  async refuse(input) {
    for (const key of ["pattern", "path", "glob", "type"]) {
      if (text(input, key).includes("\0")) return `${key} contains a NUL character.`;
    }
    for (const key of ["head_limit", "offset"]) {
      const value = count(input, key) ?? 0;
      if (!Number.isInteger(value) || value < 0) {
        return `${key} must be a whole number of 0 or more, got ${value}.`;
      }
    }
    return undefined;
  },
  judge: (input, { session, agent }) =>
    judgeRead(session.permission, getPlace(input, session), isOwn({ session, agent })),
  async run(input, { session, signal }) {
    const path = getPlace(input, session);
    const place = await stat(path).catch(() => undefined);
    if (!place) throw new ToolFailure(`Path does not exist: ${path}`);
    await access(path, constants.R_OK).catch(() => {
      throw new ToolFailure(`Search failed: ${path} cannot be read, so nothing was searched.`);
    });
    const isFolder = place.isDirectory();
    const folder = isFolder ? path : dirname(path);
    const printed = await ripgrep({
      args: ripgrepArguments(input, isFolder ? "." : path),
      folder,
      environment: session.context.environment,
      signal,
    });
    const whole = (name: string) => resolve(folder, name);
    const output = await shown(input, session, { isFolder, text: printed.text, whole });
    if (!printed.stopped) return output;
    const note = "The search was stopped before its end: there may be more matches.";
    return {
      content: `${note}\n\n${output.content}`,
      structured: { ...output.structured, timedOut: printed.stopped === "late" },
    };
  },
};

function getPlace(input: JsonObject, session: Session): string {
  return absolute(text(input, "path") || ".", session.context.folder, session.home);
}

interface Found {
  readonly isFolder: boolean;
  readonly text: string;
  readonly whole: (name: string) => string;
}

/** Removes files that a rule denies, and sorts the rest in a stable order. */
async function shown(input: JsonObject, session: Session, found: Found): Promise<Shown> {
  const may = (path: string) => !ruleForPath(session.permission, "deny", "Read", path);
  const named = <T extends { name: string }>(all: readonly T[]) =>
    all
      .map((one) => ({ ...one, path: found.whole(one.name) }))
      .filter(({ path }) => may(path))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const page = {
    folder: session.context.folder,
    offset: count(input, "offset") ?? 0,
    limit: count(input, "head_limit"),
  };
  const mode = getMode(input);
  if (mode === "count") return showCounts(named(readCounts(found.text)), page);
  if (mode === "files_with_matches") {
    return showFiles(await byTime(readNames(found.text).map(found.whole).filter(may)), page);
  }
  const hasGaps = getContextOptions(input).some((lines) => Number(lines) > 0);
  const files = named(readLines(found.text, { onlyMatching: input["-o"] === true, hasGaps }));
  const isNumbered = input["-n"] !== false;
  return showLines(files, page, { isNumbered, isNamed: found.isFolder, hasGaps });
}
