import type { Entry } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import type { Thread } from "./thread.ts";

const noteOf = (folder: string, before: string): string =>
  `Commands now work in ${folder} (before: ${before}).`;
const NOTE = /^<system-reminder>\nCommands now work in (.+) \(before: .+\)\.\n<\/system-reminder>$/;

/** Where commands work is told with the next request, once it is elsewhere than the model was told last. */
export function tellFolder(thread: Thread): void {
  const { session } = thread;
  if (thread.agent || session.shellFolder === session.toldFolder) return;
  thread.whisper(noteOf(session.shellFolder, session.toldFolder));
  session.toldFolder = session.shellFolder;
}

/** What a stored conversation told last; the shell itself begins where every session does. */
export function folderToldIn(entries: readonly Entry[], { birth }: Session): string {
  for (const { content } of entries.toReversed()) {
    for (const { text } of content.toReversed()) {
      const told = typeof text === "string" ? NOTE.exec(text)?.[1] : undefined;
      if (told !== undefined) return told;
    }
  }
  return birth.folder;
}
