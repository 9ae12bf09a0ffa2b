import type { LoadedFile } from "../hooks/instructions.ts";
import type { Entry } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import { memoryAtFile } from "./at-file.ts";
import { getTell, wasTold } from "./tell.ts";

/** One who talks with the model, and what it was told of in calls whose results it has not seen. */
export interface Reader {
  readonly session: Session;
  readonly entries: readonly Entry[];
  readonly memoryMet: Set<string>;
  /** What of it hooks have not been told yet. */
  readonly memoryLoaded: LoadedFile[];
}

/** What the model is to be told now that it has met a file: each thing once, until it is forgotten,
 * and nothing that it has read by itself. */
export async function tellMemory(reader: Reader, path: string): Promise<string[]> {
  const { session, entries, memoryMet, memoryLoaded } = reader;
  const told: string[] = [];
  for (const file of await memoryAtFile(session, path)) {
    if (wasTold(entries, file) || (await session.files.of(file.path)) !== "none") continue;
    if (memoryMet.has(file.path)) continue; // calls run side by side
    memoryMet.add(file.path);
    memoryLoaded.push({ file, trigger: path });
    told.push(getTell(file));
  }
  return told;
}
