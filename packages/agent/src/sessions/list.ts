import { open } from "node:fs/promises";
import { isObject, parseObject } from "@signalbox/protocol/wire";
import { listNewestFirst } from "./find.ts";

/** A session as a person chooses it from a list. */
export interface SessionListing {
  readonly id: string;
  /** When it was last changed. */
  readonly at: number;
  /** Its title, or its first prompt. */
  readonly title: string;
}

/** How much of a long transcript is read at either end. */
const PART = 64 * 1024;

/** Lists the newest sessions of a project, except those without messages. */
export async function listSessions(folder: string, most: number): Promise<SessionListing[]> {
  const listed: SessionListing[] = [];
  for (const { id, path, at } of await listNewestFirst(folder)) {
    if (listed.length === most) break;
    const title = getTitle(await readEnds(path));
    if (title !== undefined) listed.push({ id, at, title });
  }
  return listed;
}

async function readEnds(path: string): Promise<string[]> {
  const file = await open(path);
  const part = async (position: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PART), 0, PART, position);
    return buffer.toString("utf8", 0, bytesRead).split("\n");
  };
  try {
    const { size } = await file.stat();
    const first = await part(0);
    return size <= PART ? first : [...first, ...(await part(Math.max(PART, size - PART)))];
  } finally {
    await file.close();
  }
}

function getTitle(lines: readonly string[]): string | undefined {
  let title: string | undefined;
  let found: string | undefined;
  let prompt: string | undefined;
  for (const line of lines) {
    const body = parseObject(line);
    if (typeof body === "string") continue; // The line is incomplete.
    if (body["type"] === "custom-title") title = String(body["customTitle"]);
    if (body["type"] === "ai-title") found = String(body["aiTitle"]);
    if (body["type"] === "user" && body["isMeta"] !== true) prompt ??= getText(body["message"]);
  }
  return title ?? found ?? prompt;
}

function getText(message: unknown): string | undefined {
  const content = isObject(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  const first = Array.isArray(content) ? content.find((one) => isObject(one) && one["text"]) : {};
  return isObject(first) && typeof first["text"] === "string" ? first["text"] : undefined;
}
