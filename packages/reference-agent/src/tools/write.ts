import { forbidWrite } from "../permission/files.ts";
import { encode, flawRefusal, readIfThere } from "./file-text.ts";
import {
  isOutOfSight,
  judgeAsWriter,
  keepForRewind,
  getPath,
  pathProblem,
  shortPath,
  shortenForPerson,
  STALE,
  statIfThere,
  UNREAD,
  withWholePath,
} from "./file-tools.ts";
import { structuredPatch } from "./patch.ts";
import { replaceFile } from "../files/replace-file.ts";
import { shape, string, text, type Tool, ToolFailure } from "../tool.ts";

export const CURRENT = "(file state is current in your context — no need to Read it back)";

export const write: Tool = {
  name: "Write",
  description:
    "Writes a whole file, and the folders above it where they are missing. What was in the file before is replaced. To change a part of a file, use Edit.",
  input: shape({
    file_path: string("The path of the file"),
    content: string("Everything that the file is to hold"),
  }),
  shown: withWholePath,
  describe: (input, session) => shortenForPerson(getPath(input, session), session),
  doing: (input, session) => `Writing ${shortPath(input, session)}`,
  forbid: (input, session) => forbidWrite(session.permission, getPath(input, session), "written"),
  async refuse(input, session) {
    const path = getPath(input, session);
    const problem = pathProblem("Write", input);
    if (problem !== undefined) return problem;
    const there = await statIfThere(input, session);
    if (there?.isDirectory()) {
      return `${text(input, "file_path")} is a directory. To write a file in it, file_path must name the file as well.`;
    }
    if (!there || there.size === 0) return undefined;
    const knowledge = await session.files.getKnowledge(path);
    if (knowledge === "none") {
      return path.endsWith(".ipynb") || isOutOfSight(path, session) ? UNREAD : undefined;
    }
    return knowledge === "outdated" ? STALE : undefined;
  },
  judge: judgeAsWriter("Write"),
  async run(input, call) {
    const { session } = call;
    const path = getPath(input, session);
    const filePath = text(input, "file_path");
    const old = await readIfThere(path);
    if (old?.flaw !== undefined) throw new ToolFailure(flawRefusal(old.flaw));
    const content = getWithMark(old?.text ?? "", text(input, "content"));
    await keepForRewind(path, call);
    const before = old?.text.replaceAll("\r\n", "\n") || undefined;
    await replaceFile(path, encode(content, old ?? { encoding: "utf8" }));
    await session.files.note(path, content);
    const patch = before === undefined ? [] : structuredPatch(before, content);
    if (before === undefined) session.ledger.linesAdded += content.split("\n").length;
    else session.ledger.addChanges(patch);
    const structured = {
      type: before === undefined ? "create" : "update",
      filePath,
      content,
      structuredPatch: patch,
      originalFile: before ?? null,
      userModified: false,
    };
    const resultText =
      before === undefined
        ? `File created successfully at: ${filePath} ${CURRENT}`
        : `The file ${filePath} has been updated successfully. ${CURRENT}`;
    return { content: resultText, structured };
  },
};

/** Adds the byte order mark if the old file had one. */
function getWithMark(old: string, content: string): string {
  const isLost = old.startsWith("\uFEFF") && !content.startsWith("\uFEFF");
  return isLost ? `\uFEFF${content}` : content;
}
