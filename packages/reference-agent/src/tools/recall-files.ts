import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "@signalbox/agent";
import type { ReadFileTracker } from "./read-file-tracker.ts";

/**
 * Restores the knowledge of files that a resumed session has read completely, written or edited.
 */
export async function recallFiles(
  files: ReadFileTracker,
  conversation: readonly StoredMessage[],
): Promise<void> {
  for (const { toolUseResult: result, timestamp } of conversation) {
    if (!isObject(result) || typeof timestamp !== "string") continue;
    const { file, filePath, content, oldString } = result;
    const at = Date.parse(timestamp);
    if (isObject(file)) recallRead(files, file, at);
    else if (typeof filePath !== "string") continue;
    else if (typeof content === "string") files.restoreKnowledge(filePath, at, content);
    else if (oldString !== undefined) await files.noteUnseen(filePath);
  }
}

function recallRead(files: ReadFileTracker, file: JsonObject, at: number): void {
  const { filePath, content, startLine, numLines, totalLines } = file;
  if (typeof filePath !== "string" || typeof content !== "string") return;
  if (startLine === 1 && numLines === totalLines) files.restoreKnowledge(filePath, at, content);
}
