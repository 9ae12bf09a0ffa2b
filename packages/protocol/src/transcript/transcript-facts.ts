import { isObject, type JsonObject } from "../json.ts";
import { splitEntries } from "./split-entries.ts";
import { convertUser, isPrompt, readTexts } from "./user-entries.ts";

/** What a list of sessions shows of a transcript, by its beginning and its end. */
export interface TranscriptFacts {
  /** The folder in which the program was started. */
  readonly folder?: string;
  /** The title that a person or Claude Code gave the session, else its first prompt. */
  readonly title?: string;
  readonly startedAt?: number;
  /** Whether it holds a message: some transcripts hold nothing but notes of the program. */
  readonly hasMessages: boolean;
}

const TITLE_LENGTH = 200;

/**
 * Reads facts from the beginning and the end of a transcript. `isProjectFolder` tells in which of
 * the folders that the transcript names its session belongs: a session may change its folder.
 */
export function readTranscriptFacts(
  beginning: string,
  end: string,
  isProjectFolder: (folder: string) => boolean,
): TranscriptFacts {
  const first = readEntries(beginning);
  const last = readEntries(end);
  const folders = [...first, ...last].flatMap(({ cwd }) => (typeof cwd === "string" ? [cwd] : []));
  const folder = folders.find(isProjectFolder) ?? folders[0];
  const startedAt = first.map(readTime).find((at) => at !== undefined);
  const title = findTitle([...first, ...last]) ?? findPrompt(first);
  return {
    ...(folder !== undefined && { folder }),
    ...(title !== undefined && { title }),
    ...(startedAt !== undefined && { startedAt }),
    hasMessages: [...first, ...last].some(({ type }) => type === "user" || type === "assistant"),
  };
}

function readEntries(text: string): JsonObject[] {
  return text
    .split("\n")
    .flatMap((line) => splitEntries(line))
    .flatMap((piece) => ("entry" in piece ? [piece.entry] : []));
}

function readTime({ timestamp }: JsonObject): number | undefined {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The title that a person gave comes before the one of Claude Code, and that before a summary. */
function findTitle(entries: readonly JsonObject[]): string | undefined {
  for (const name of ["customTitle", "aiTitle", "summary"]) {
    const titles = entries
      .filter(({ type }) => name !== "summary" || type === "summary")
      .map((entry) => entry[name]);
    const title = titles.findLast((each) => typeof each === "string" && each.trim() !== "");
    if (typeof title === "string") return shorten(title);
  }
  return undefined;
}

function findPrompt(entries: readonly JsonObject[]): string | undefined {
  for (const entry of entries) {
    if (entry["type"] !== "user" || entry["isSidechain"] === true || !isObject(entry["message"]))
      continue;
    const message = convertUser(entry, { parent_tool_use_id: null });
    if (!message || !isPrompt(message)) continue;
    const text = readTexts(isObject(message["message"]) ? message["message"]["content"] : "");
    if (text.trim() !== "") return shorten(text);
  }
  return undefined;
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}
