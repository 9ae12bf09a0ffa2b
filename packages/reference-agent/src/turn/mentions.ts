import { readdir, stat } from "node:fs/promises";
import { type Reader, tellMemory } from "../memory/met.ts";
import { judgeRead } from "../permission/files.ts";
import { absolute } from "../files/paths.ts";
import { isOwn } from "../tools/file-tools.ts";
import { read } from "../tools/read.ts";
import { callAside, ToolFailure } from "../tool.ts";

const MENTION = /(?<=^|\s)@("[^"]+"|[^\s"]+)/g;

/**
 * Reads the files and folders that a prompt mentions with `@`, if they may be read without a
 * question.
 */
export async function mentionedFiles(
  prompt: string,
  reader: Reader,
  signal: AbortSignal,
): Promise<string[]> {
  const names = [...prompt.matchAll(MENTION)].map(([, name = ""]) =>
    name.replace(/^"|"$/g, "").replace(/[.,;:!?)]+$/, ""),
  );
  const mentionTexts = await Promise.all(
    [...new Set(names)].map((name) => readMentioned(name, reader, signal)),
  );
  return mentionTexts.flat();
}

async function readMentioned(name: string, reader: Reader, signal: AbortSignal): Promise<string[]> {
  const { session } = reader;
  const path = absolute(name, session.context.folder, session.home);
  const found = await stat(path).catch(() => undefined);
  if (judgeRead(session.permission, path, isOwn({ session })).behavior !== "allow") return [];
  if (found?.isDirectory()) return listFolder(path);
  if (!found?.isFile()) return [];
  const input = { file_path: path };
  try {
    const { content } = await read.run(input, callAside(session, signal));
    if (typeof content !== "string") return [];
    return [
      `Called the Read tool with the following input: ${JSON.stringify(input)}`,
      `Result of calling the Read tool:\n${content}`,
      ...(await tellMemory(reader, path)),
    ];
  } catch (cause) {
    if (cause instanceof ToolFailure) return [];
    throw cause;
  }
}

const MAX_LISTED = 1000;

async function listFolder(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => []);
  const visible = names.filter((name) => !name.startsWith(".")).toSorted();
  const more = visible.length - MAX_LISTED;
  const shown = [...visible.slice(0, MAX_LISTED), ...(more > 0 ? [`… and ${more} more`] : [])];
  return [
    `Called the Bash tool with the following input: ${JSON.stringify({ command: `ls ${path}` })}`,
    `Result of calling the Bash tool:\n${shown.join("\n")}`,
  ];
}
