import { access } from "node:fs/promises";
import { forbidWrite } from "../permission/files.ts";
import {
  normalizeLineEnds,
  findIntendedText,
  copyQuotationMarks,
  withoutTrailingSpace,
} from "./edit-match.ts";
import type { Knowledge } from "./read-file-tracker.ts";
import { encode, flawRefusal, readIfThere } from "./file-text.ts";
import {
  isOutOfSight,
  judgeAsWriter,
  describeMissingFile,
  keepForRewind,
  getPath,
  pathProblem,
  shortPath,
  statIfThere,
  shortenForPerson,
  UNREAD,
  withWholePath,
} from "./file-tools.ts";
import { structuredPatch } from "./patch.ts";
import { replaceFile } from "../files/replace-file.ts";
import { flag, shape, string, text, type Tool, ToolFailure } from "../tool.ts";
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
  async complete(input, session) {
    const path = getPath(input, session);
    const keepsSpaces = /\.mdx?$/i.test(path) || typeof input["new_string"] !== "string";
    if (keepsSpaces || !(await isThere(path))) return { replace_all: false, ...input };
    const new_string = withoutTrailingSpace(text(input, "new_string"));
    return { replace_all: false, ...input, new_string };
  },
  shown: (input, session) => {
    const { file_path, old_string, new_string, replace_all } = withWholePath(input, session);
    return { file_path, old_string, new_string, replace_all };
  },
  describe: (input, session) => shortenForPerson(getPath(input, session), session),
  doing: (input, session) => `Editing ${shortPath(input, session)}`,
  forbid: (input, session) => forbidWrite(session.permission, getPath(input, session), "edited"),
  async refuse(input, session) {
    const path = getPath(input, session);
    const [old, next] = [text(input, "old_string"), text(input, "new_string")];
    if (old === next) return "No changes to make: old_string and new_string are exactly the same.";
    const problem = pathProblem("Edit", input);
    if (problem !== undefined) return problem;
    await statIfThere(input, session);
    const there = await readIfThere(path);
    if (there === undefined) return old === "" ? undefined : describeMissingFile(session);
    if (old === "") {
      return there.text.trim() === "" ? undefined : "Cannot create new file - file already exists.";
    }
    if (there.flaw !== undefined) return flawRefusal(there.flaw);
    if (path.endsWith(".ipynb")) return "This file is a notebook: use NotebookEdit to change it.";
    if (isOutOfSight(path, session) && (await session.files.getKnowledge(path)) === "none")
      return UNREAD;
    const whole = normalizeLineEnds(there.text).text;
    const matchedText = findIntendedText(whole, old);
    if (matchedText === undefined) return `String to replace not found in file.\nString: ${old}`;
    const found = countOccurrences(whole, matchedText);
    if (found > 1 && input["replace_all"] !== true) {
      return `Found ${found} matches of the string to replace, but replace_all is false. Give more of the text around the one that is meant, or set replace_all to change them all.\nString: ${old}`;
    }
    return undefined;
  },
  judge: judgeAsWriter("Edit"),
  async run(input, call) {
    const { session } = call;
    // The host's answer may have changed the input, and time has passed, so the check is repeated.
    const why = await this.refuse?.(input, session);
    if (why !== undefined) throw new ToolFailure(why);
    const path = getPath(input, session);
    const filePath = text(input, "file_path");
    await keepForRewind(path, call);
    const there = await readIfThere(path);
    const knowledge = there === undefined ? "whole" : await session.files.getKnowledge(path);
    const { text: before, restore } = normalizeLineEnds(there?.text ?? "");
    const old = text(input, "old_string");
    const replacedText = findIntendedText(before, old) ?? old;
    const next = copyQuotationMarks(text(input, "new_string"), replacedText, old);
    const changed = applyEdit(before, replacedText, next, input["replace_all"] === true);
    const after = restore(changed);
    await replaceFile(path, encode(after, there ?? { encoding: "utf8" }));
    await session.files.note(path, after, knowledge === "whole");
    const all = input["replace_all"] === true;
    const done = all
      ? `The file ${filePath} has been updated. All occurrences were successfully replaced.`
      : `The file ${filePath} has been updated successfully.`;
    const resultText = [done, ...remarks[knowledge]].join(" ");
    const patch = structuredPatch(before, changed);
    session.ledger.addChanges(patch);
    const structured = {
      filePath,
      oldString: replacedText,
      newString: text(input, "new_string"),
      originalFile: before,
      structuredPatch: patch,
      userModified: false,
      replaceAll: all,
      ...(knowledge === "outdated" && { staleRecovered: true }),
      ...(knowledge !== "whole" && { contentNotInModelContext: true }),
    };
    return { content: resultText, structured };
  },
};

/** What the model is told about the rest of the file. */
const remarks: Record<Knowledge, readonly string[]> = {
  whole: [CURRENT],
  partial: [],
  none: [],
  outdated: [
    "(note: somebody else changed the file after you read it. Your edit fitted and is in it, but other parts may not be as you know them: read it again before you rely on them.)",
  ],
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether a deletion includes the line end, so that no empty line is left. */
function takesLineEnd(whole: string, old: string, next: string): boolean {
  return next === "" && !old.endsWith("\n") && whole.includes(`${old}\n`);
}

function applyEdit(before: string, old: string, next: string, all: boolean): string {
  if (old === "") return next;
  const part = takesLineEnd(before, old, next) ? `${old}\n` : old;
  if (all) return before.split(part).join(next);
  const at = before.indexOf(part);
  return before.slice(0, at) + next + before.slice(at + part.length);
}

function countOccurrences(whole: string, part: string): number {
  return whole.split(part).length - 1;
}
