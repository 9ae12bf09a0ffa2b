import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { judgeWrite } from "../permission/files.ts";
import {
  isOwnPlan,
  missing,
  pathOf,
  readIfThere,
  shownPath,
  STALE,
  withWholePath,
} from "./file-tools.ts";
import { structuredPatch } from "./patch.ts";
import { flag, shape, string, text, type Tool, ToolFailure } from "./tool.ts";
import { CURRENT } from "./write.ts";

export const edit: Tool = {
  name: "Edit",
  description:
    "Replaces text in a file. old_string must stand in the file exactly as given, spaces and line breaks included, and only once unless replace_all is set. An empty old_string makes a new file.",
  input: shape(
    {
      file_path: string("The path of the file"),
      old_string: string("The text to replace"),
      new_string: string("The text to put in its place"),
    },
    { replace_all: { ...flag("Replace every occurrence"), default: false } },
  ),
  complete: (input) => ({ replace_all: false, ...input }),
  shown: (input, session) => {
    const { file_path, old_string, new_string, replace_all } = withWholePath(input, session);
    return { file_path, old_string, new_string, replace_all };
  },
  describe: (input, session) => shownPath(pathOf(input, session), session),
  doing: (input) => `Editing ${text(input, "file_path")}`,
  async refuse(input, session) {
    const path = pathOf(input, session);
    const [old, next] = [text(input, "old_string"), text(input, "new_string")];
    if (old === next) return "No changes to make: old_string and new_string are exactly the same.";
    const before = await readIfThere(path);
    if (before === undefined) return old === "" ? undefined : missing(session);
    if (old === "") {
      return before.trim() === "" ? undefined : "Cannot create new file - file already exists.";
    }
    if (path.endsWith(".ipynb")) return "This file is a notebook: use NotebookEdit to change it.";
    if (await session.files.isStale(path)) return STALE;
    const found = occurrences(before, old);
    if (found === 0) return `String to replace not found in file.\nString: ${old}`;
    if (found > 1 && input["replace_all"] !== true) {
      return `Found ${found} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${old}`;
    }
    return undefined;
  },
  judge: (input, { session }) =>
    judgeWrite(session.permission, pathOf(input, session), isOwnPlan(session)),
  async run(input, call) {
    const { session } = call;
    // An answer of the host's may have changed the input, and time has passed: look again.
    const why = await this.refuse?.(input, session);
    if (why !== undefined) throw new ToolFailure(why);
    const path = pathOf(input, session);
    const filePath = text(input, "file_path");
    await session.birth.checkpoints.beforeEdit(path);
    const before = await readIfThere(path);
    const after = applied(before ?? "", input);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, after);
    await session.files.note(path, after);
    const all = input["replace_all"] === true;
    const said = all
      ? `The file ${filePath} has been updated. All occurrences were successfully replaced. ${CURRENT}`
      : `The file ${filePath} has been updated successfully. ${CURRENT}`;
    const structured = {
      filePath,
      oldString: text(input, "old_string"),
      newString: text(input, "new_string"),
      originalFile: before ?? "",
      structuredPatch: structuredPatch(before ?? "", after),
      userModified: false,
      replaceAll: all,
    };
    return { content: said, structured };
  },
};

function applied(before: string, input: JsonObject): string {
  const [old, next] = [text(input, "old_string"), text(input, "new_string")];
  if (old === "") return next;
  if (input["replace_all"] === true) return before.split(old).join(next);
  const at = before.indexOf(old);
  return before.slice(0, at) + next + before.slice(at + old.length);
}

function occurrences(whole: string, part: string): number {
  return whole.split(part).length - 1;
}
