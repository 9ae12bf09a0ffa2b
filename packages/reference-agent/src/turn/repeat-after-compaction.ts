import { readFile, stat } from "node:fs/promises";
import { isObject } from "@signalbox/protocol/wire";
import type { Entry } from "../model/conversation.ts";
import { judgeRead } from "../permission/files.ts";
import { realPath } from "../files/paths.ts";
import type { Session } from "../session.ts";
import { isOwn } from "../tools/file-tools.ts";
import { read } from "../tools/read.ts";
import { callAside, ToolFailure } from "../tool.ts";

const MAX_FILES = 5;
/** About 5,000 tokens. */
const MAX_CHARS = 20_000;

/** Repeats what the summary removed from the model's view: files, the plan, skills. */
export async function repeatAfterCompaction(
  session: Session,
  preservedEntries: readonly Entry[],
  signal: AbortSignal,
): Promise<string[]> {
  return [
    ...(await filesAgain(session, preservedEntries, signal)),
    ...(await planAgain(session)),
    ...skillsAgain(session),
  ];
}

/**
 * Returns the current contents of the files that it knew, the last changed ones first, as in Claude
 * Code 2.1.325.
 */
async function filesAgain(
  session: Session,
  preservedEntries: readonly Entry[],
  signal: AbortSignal,
): Promise<string[]> {
  const inSight = new Set(preservedEntries.flatMap(({ content }) => content.flatMap(readPath)));
  const elsewhere = [session.planPath, ...(session.memory ?? []).map(({ path }) => path)];
  for (const path of elsewhere) inSight.add(realPath(path));
  const known = session.files.forget().filter((path) => !inSight.has(path));
  const repeatedFiles = known.slice(0, MAX_FILES).map((path) => fileAgain(path, session, signal));
  return (await Promise.all(repeatedFiles)).flat();
}

function readPath({ type, name, input }: Entry["content"][number]): string[] {
  if (type !== "tool_use" || name !== "Read" || !isObject(input)) return [];
  return typeof input["file_path"] === "string" ? [realPath(input["file_path"])] : [];
}

async function fileAgain(path: string, session: Session, signal: AbortSignal): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  const isDenied = judgeRead(session.permission, path, isOwn({ session })).behavior === "deny";
  if (!found?.isFile() || isDenied) return [];
  if (found.size > MAX_CHARS) {
    return [`${path} was read before the summary and is too large to stand here: read it again.`];
  }
  const input = { file_path: path };
  try {
    const { content } = await read.run(input, callAside(session, signal));
    return [
      `Called the Read tool with the following input: ${JSON.stringify(input)}`,
      `Result of calling the Read tool:\n${typeof content === "string" ? content : JSON.stringify(content)}`,
    ];
  } catch (cause) {
    if (cause instanceof ToolFailure) return [];
    throw cause;
  }
}

async function planAgain({ planPath }: Session): Promise<string[]> {
  const plan = await readFile(planPath, "utf8").catch(() => "");
  if (plan.trim() === "") return [];
  return [`The plan of this session stands in ${planPath}:\n\n${plan.slice(0, MAX_CHARS)}`];
}

function skillsAgain({ shownSkills: skillsTold }: Session): string[] {
  return [...skillsTold].map(
    ([name, text]) =>
      `The skill ${name} was called before the summary, and still holds:\n\n${text.slice(0, MAX_CHARS)}`,
  );
}
