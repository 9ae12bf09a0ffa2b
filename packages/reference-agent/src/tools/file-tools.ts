import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { decide } from "../permission/decide.ts";
import { judgeRead, judgeWrite } from "../permission/files.ts";
import { absolute, isAllowed, isInside } from "../files/paths.ts";
import { memoryFolder } from "../memory/of-kind.ts";
import type { Session } from "../session.ts";
import { type Call, text } from "../tool.ts";

interface Caller {
  readonly session: Session;
  readonly agent?: Call["agent"] | undefined;
}

/** What the tools for files have in common. */

export function getPath(input: JsonObject, session: Session, key = "file_path"): string {
  return absolute(text(input, key).trim(), session.context.folder, session.home);
}

/** Returns why a text cannot be a path. */
export function pathProblem(
  name: string,
  input: JsonObject,
  key = "file_path",
): string | undefined {
  if (!text(input, key).includes("\0")) return undefined;
  return `${name} ${key} cannot contain null bytes (\\0). Remove the null byte and try again.`;
}

/**
 * Returns the file's status. A path that cannot lead to a file fails here, before anybody is asked;
 * a trailing slash means a folder.
 */
export async function statIfThere(input: JsonObject, session: Session): Promise<Stats | undefined> {
  const slash = text(input, "file_path").trim().endsWith("/") ? "/" : "";
  return stat(getPath(input, session) + slash).catch((cause: { code?: string }) => {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  });
}

/** Stores a file before a change. As in Claude Code, changes by subagents are not restored. */
export async function keepForRewind(path: string, { session, agent }: Caller): Promise<void> {
  if (!agent) await session.context.checkpoints.beforeEdit(path);
}

/** Returns the input with an absolute path, as hooks and hosts see it. */
export function withWholePath(input: JsonObject, session: Session, key = "file_path"): JsonObject {
  return typeof input[key] === "string" ? { ...input, [key]: getPath(input, session, key) } : input;
}

/** Shortens a path for display: relative to the working folder if it is inside. */
export function shownPath(path: string, session: Session): string {
  const { folder } = session.context;
  return isInside(path, folder) ? relative(folder, path) || "." : path;
}

/** Shortens a path for the person who is asked: relative to the home folder if it is inside. */
export function shortenForPerson(path: string, session: Session): string {
  const shown = shownPath(path, session);
  return shown.startsWith(session.home + sep) ? `~${shown.slice(session.home.length)}` : shown;
}

/** Shortens a path as the model wrote it for the person who watches. */
export function shortPath(
  input: JsonObject,
  { context, home }: Session,
  key = "file_path",
): string {
  const path = text(input, key);
  const inside = isAbsolute(path) ? relative(context.folder, path) : "";
  if (inside !== "" && !inside.startsWith("..")) return inside;
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/**
 * Recognizes the agent's own files, which it may read without asking: outputs of tasks and tools,
 * and its plan.
 */
export function isOwn({ session, agent }: Caller): (path: string) => boolean {
  const memory = memoryFolder(session, agent?.type);
  return (path) =>
    (memory !== undefined && isInside(path, memory)) ||
    isInside(path, session.ownFolder) ||
    path === session.planPath ||
    isInside(path, session.context.transcriptPath.replace(/\.jsonl$/, ""));
}

/**
 * Recognizes files that may be written without permission: the plan, and the agent's own memory.
 */
function mayAlwaysWrite({ session, agent }: Caller): (path: string) => boolean {
  const memory = memoryFolder(session, agent?.type);
  return (path) => path === session.planPath || (memory !== undefined && isInside(path, memory));
}

/** Creates the judgement of a tool that writes the file in its input. */
export function judgeAsWriter(name: Parameters<typeof judgeWrite>[1], key = "file_path") {
  return (input: JsonObject, caller: Caller) =>
    judgeWrite(
      caller.session.permission,
      name,
      getPath(input, caller.session, key),
      mayAlwaysWrite(caller),
    );
}

/**
 * Whether a file could not be read without a question. A file that should have been read first then
 * needs no such check.
 */
export function isOutOfSight(path: string, { permission }: Session): boolean {
  const judge = () => judgeRead(permission, path, () => false);
  return (
    !isAllowed(path, permission.folders) || decide(permission, "Read", judge).behavior === "ask"
  );
}

export function describeMissingFile(session: Session): string {
  return `File does not exist. Note: your current working directory is ${session.context.folder}.`;
}

export const STALE =
  "File has been modified since read, by the user or by some program. Read it again, then write.";
export const UNREAD = "File has not been read yet. Read it first before writing to it.";
