import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { judgeRead } from "../permission/files.ts";
import { globToRegExp } from "../permission/glob.ts";
import { absolute } from "../permission/paths.ts";
import { ruleForPath } from "../permission/verdict.ts";
import { isOwn, shownPath } from "./file-tools.ts";
import { shape, string, text, type Tool, ToolFailure } from "./tool.ts";
import { walk } from "./walk.ts";

const MAX_FILES = 100;
const MAX_LOOKED_AT = 200_000;

export const glob: Tool = {
  name: "Glob",
  description:
    "Finds files by a pattern of names such as **/*.ts, the most recently changed last. At most a hundred are given.",
  input: shape({ pattern: string("The pattern") }, { path: string("The folder to look in") }),
  sideBySide: () => true,
  describe: (input) => text(input, "pattern"),
  doing: (input) => `Finding ${text(input, "pattern")}`,
  judge: (input, { session, agent }) =>
    judgeRead(
      session.permission,
      absolute(text(input, "path") || ".", session.birth.folder, session.home),
      isOwn({ session, agent }),
    ),
  async run(input, { session, signal }) {
    const began = Date.now();
    const folder = absolute(text(input, "path") || ".", session.birth.folder, session.home);
    const place = await stat(folder).catch(() => undefined);
    if (!place?.isDirectory()) throw new ToolFailure(`Directory does not exist: ${folder}`);
    const pattern = text(input, "pattern").replace(/^\.\//, "");
    const way = pattern.startsWith("/") ? relative(folder, pattern) : pattern;
    const fits = globToRegExp(way.includes("/") ? way : `**/${way}`); // a bare name, at any depth
    const found: { path: string; mtimeMs: number }[] = [];
    let seen = 0;
    for await (const path of walk(folder, signal)) {
      if (++seen > MAX_LOOKED_AT) break;
      if (!fits.test(relative(folder, path))) continue;
      if (ruleForPath(session.permission, "deny", "Read", path)) continue;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
      found.push({ path, mtimeMs });
    }
    const countIsComplete = seen <= MAX_LOOKED_AT;
    const truncated = found.length > MAX_FILES || !countIsComplete;
    const filenames = found
      .toSorted((one, other) => one.mtimeMs - other.mtimeMs)
      .slice(0, MAX_FILES)
      .map(({ path }) => shownPath(path, session));
    const note = truncated
      ? ["(Results are truncated. Consider using a more specific path or pattern.)"]
      : [];
    return {
      content: filenames.length > 0 ? [...filenames, ...note].join("\n") : "No files found",
      structured: {
        filenames,
        durationMs: Date.now() - began,
        numFiles: filenames.length,
        truncated,
        totalMatches: found.length,
        countIsComplete,
      },
    };
  },
};
