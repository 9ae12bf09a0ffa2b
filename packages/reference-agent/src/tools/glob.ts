import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { judgeRead } from "../permission/files.ts";
import { absolute } from "../files/paths.ts";
import { ruleForPath } from "../permission/verdict.ts";
import type { Session } from "../session.ts";
import { isOwn, shownPath } from "./file-tools.ts";
import { readNames } from "./grep-found.ts";
import { ripgrep } from "./ripgrep.ts";
import { shape, string, text, type Tool, ToolFailure } from "../tool.ts";

const MAX_FILES = 100;
const EVERY_FILE = ["--files", "--null", "--sort=modified", "--no-ignore", "--hidden"];

export const glob: Tool = {
  name: "Glob",
  description:
    "Finds files by a pattern of names such as **/*.ts, the most recently changed last. At most a hundred are given.",
  input: shape({ pattern: string("The pattern") }, { path: string("The folder to look in") }),
  sideBySide: () => true,
  describe: (input) => text(input, "pattern"),
  doing: (input) => `Finding ${text(input, "pattern")}`,
  judge: (input, { session, agent }) =>
    judgeRead(session.permission, getPlace(input, session).folder, isOwn({ session, agent })),
  async refuse(input) {
    const key = ["pattern", "path"].find((one) => text(input, one).includes("\0"));
    return key && `${key} contains a NUL character.`;
  },
  async run(input, { session, signal }) {
    const began = Date.now();
    const { folder, pattern } = getPlace(input, session);
    const place = await stat(folder).catch(() => undefined);
    if (!place?.isDirectory()) throw new ToolFailure(`Directory does not exist: ${folder}`);
    const { text: printed, stopped } = await ripgrep({
      args: [...EVERY_FILE, "--glob", pattern, "--glob", "!.git", "--", "."],
      folder,
      environment: session.context.environment,
      signal,
    });
    const found = readNames(printed)
      .map((name) => resolve(folder, name))
      .filter((path) => !ruleForPath(session.permission, "deny", "Read", path));
    const countIsComplete = stopped === undefined;
    const truncated = found.length > MAX_FILES || !countIsComplete;
    const filenames = found.slice(0, MAX_FILES).map((path) => shownPath(path, session));
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

/** Returns the folder and the pattern. An absolute pattern contains the folder itself. */
function getPlace(input: JsonObject, session: Session): { folder: string; pattern: string } {
  const pattern = text(input, "pattern").replace(/^\.\//, "");
  if (!pattern.startsWith("/")) {
    const folder = absolute(text(input, "path") || ".", session.context.folder, session.home);
    return { folder, pattern };
  }
  const open = pattern.search(/[*?[{\\]/);
  const end = pattern.lastIndexOf("/", open < 0 ? undefined : open) + 1;
  return { folder: resolve(pattern.slice(0, end)), pattern: pattern.slice(end) };
}
