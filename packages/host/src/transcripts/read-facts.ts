import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { readTranscriptFacts, type TranscriptFacts } from "@signalbox/protocol/transcript";
import { getProjectName, openTranscript, type TranscriptPlace } from "./transcript-files.ts";

/** How much of a transcript's beginning and end is read for a list. */
const PART = 16 * 1024;
/** How much of the beginning is read if the first prompt is not in the first part. */
const LONG_PART = 512 * 1024;

/**
 * Reads what a list shows of a transcript, from its beginning and its end. Returns undefined if there
 * is no such file, or it must not be read by `openTranscript`'s rules.
 */
export async function readFacts(place: TranscriptPlace): Promise<TranscriptFacts | undefined> {
  const { configFolder, project, sessionId } = place;
  const file = await openTranscript(configFolder, join(project, `${sessionId}.jsonl`));
  if (!file) return undefined;
  const isProjectFolder = (folder: string) => getProjectName(folder) === project;
  try {
    const { size } = await file.stat();
    const end = size > PART ? cutAfterFirst(await readText(file, size - PART, PART)) : "";
    const beginning = cutBeforeLast(await readText(file, 0, PART), size <= PART);
    const facts = readTranscriptFacts(beginning, end, isProjectFolder);
    const isEnough = facts.title !== undefined && facts.folder !== undefined && facts.hasMessages;
    if (isEnough || size <= PART) return facts;
    const more = cutBeforeLast(await readText(file, 0, LONG_PART), size <= LONG_PART);
    return readTranscriptFacts(more, end, isProjectFolder);
  } finally {
    await file.close();
  }
}

async function readText(file: FileHandle, offset: number, length: number): Promise<string> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return new TextDecoder().decode(buffer.subarray(0, bytesRead));
}

function cutBeforeLast(text: string, isWhole: boolean): string {
  return isWhole ? text : text.slice(0, Math.max(0, text.lastIndexOf("\n")));
}

function cutAfterFirst(text: string): string {
  const found = text.indexOf("\n");
  return found === -1 ? "" : text.slice(found + 1);
}
