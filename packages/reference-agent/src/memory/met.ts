import type { LoadedFile } from "../hooks/instructions.ts";
import type { Entry } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import { memoryAtFile } from "./at-file.ts";
import { getTell, isInConversation } from "./tell.ts";

/**
 * A conversation with the model, and the memory that was added by calls whose results the model has
 * not seen yet.
 */
export interface Reader {
  readonly session: Session;
  readonly entries: readonly Entry[];
  readonly memoryMet: Set<string>;
  /** Loaded files that hooks have not been told about yet. */
  readonly memoryLoaded: LoadedFile[];
}

/**
 * Returns the memory for a file that the model has just used. Each part is told once until it is
 * forgotten, and nothing that the model has read by itself.
 */
export async function tellMemory(reader: Reader, path: string): Promise<string[]> {
  const { session, entries, memoryMet, memoryLoaded } = reader;
  const newNotes: string[] = [];
  for (const file of await memoryAtFile(session, path)) {
    if (isInConversation(entries, file) || (await session.files.getKnowledge(file.path)) !== "none")
      continue;
    // Calls run in parallel, so another one may have added it.
    if (memoryMet.has(file.path)) continue;
    memoryMet.add(file.path);
    memoryLoaded.push({ file, trigger: path });
    newNotes.push(getTell(file));
  }
  return newNotes;
}
