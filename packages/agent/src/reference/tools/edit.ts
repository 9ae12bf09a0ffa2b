import type { JsonObject } from "@signalbox/protocol/wire";
import { forbidWrite, judgeWrite } from "../permission/files.ts";
import type { Knowledge } from "./file-memory.ts";
import { encode, flawRefusal, readIfThere } from "./file-text.ts";
import {
  isOutOfSight,
  isOwnPlan,
  missing,
  pathOf,
  shownPath,
  UNREAD,
  withWholePath,
} from "./file-tools.ts";
import { structuredPatch } from "./patch.ts";
import { replaceFile } from "./replace-file.ts";
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
  forbid: (input, session) => forbidWrite(session.permission, pathOf(input, session), "edited"),
  async refuse(input, session) {
    const path = pathOf(input, session);
    const [old, next] = [text(input, "old_string"), text(input, "new_string")];
    if (old === next) return "No changes to make: old_string and new_string are exactly the same.";
    const there = await readIfThere(path);
    if (there === undefined) return old === "" ? undefined : missing(session);
    if (old === "") {
      return there.text.trim() === "" ? undefined : "Cannot create new file - file already exists.";
    }
    if (there.flaw !== undefined) return flawRefusal(there.flaw);
    if (path.endsWith(".ipynb")) return "This file is a notebook: use NotebookEdit to change it.";
    if (isOutOfSight(path, session) && (await session.files.of(path)) === "none") return UNREAD;
    const found = occurrences(linesOf(there.text).text, old);
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
    const there = await readIfThere(path);
    const knowledge = there === undefined ? "whole" : await session.files.of(path);
    const { text: before, restore } = linesOf(there?.text ?? "");
    const changed = applied(before, input);
    const after = restore(changed);
    await replaceFile(path, encode(after, there ?? { encoding: "utf8" }));
    await session.files.note(path, after, knowledge === "whole");
    const all = input["replace_all"] === true;
    const done = all
      ? `The file ${filePath} has been updated. All occurrences were successfully replaced.`
      : `The file ${filePath} has been updated successfully.`;
    const said = [done, ...remarks[knowledge]].join(" ");
    const patch = structuredPatch(before, changed);
    session.ledger.addChanges(patch);
    const structured = {
      filePath,
      oldString: text(input, "old_string"),
      newString: text(input, "new_string"),
      originalFile: before,
      structuredPatch: patch,
      userModified: false,
      replaceAll: all,
      ...(knowledge === "outdated" && { staleRecovered: true }),
      ...(knowledge !== "whole" && { contentNotInModelContext: true }),
    };
    return { content: said, structured };
  },
};

/** What the model is told about the rest of the file. */
const remarks: Record<Knowledge, readonly string[]> = {
  whole: [CURRENT],
  partial: [],
  none: [],
  outdated: [
    "(note: the file had been modified on disk since you last read it — the edit applied cleanly, but the file contains other changes not in your context. Read it before edits that depend on surrounding content.)",
  ],
};

/** A file whose lines all end in CRLF is edited by LF, as it is shown, and keeps its ends. */
function linesOf(whole: string): { text: string; restore: (text: string) => string } {
  const isCrlf = whole.includes("\r\n") && !/(^|[^\r])\n/.test(whole);
  if (!isCrlf) return { text: whole, restore: (text) => text };
  return {
    text: whole.replaceAll("\r\n", "\n"),
    restore: (text) => text.replace(/\r?\n/g, "\r\n"),
  };
}

/** What ends a line and is deleted takes the line's end along, so that no empty line is left. */
function takesLineEnd(whole: string, old: string, next: string): boolean {
  return next === "" && !old.endsWith("\n") && whole.includes(`${old}\n`);
}

function applied(before: string, input: JsonObject): string {
  const [old, next] = [text(input, "old_string"), text(input, "new_string")];
  if (old === "") return next;
  const part = takesLineEnd(before, old, next) ? `${old}\n` : old;
  if (input["replace_all"] === true) return before.split(part).join(next);
  const at = before.indexOf(part);
  return before.slice(0, at) + next + before.slice(at + part.length);
}

function occurrences(whole: string, part: string): number {
  return whole.split(part).length - 1;
}
