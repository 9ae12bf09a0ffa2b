import type { Entry } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import type { Thread } from "./thread.ts";

const getNote = (folder: string, before: string): string =>
  `Commands now work in ${folder} (before: ${before}).`;
const NOTE = /^<system-reminder>\nCommands now work in (.+) \(before: .+\)\.\n<\/system-reminder>$/;

/** Tells the model the folder of the shell with the next request, if it has changed. */
export function tellFolder(thread: Thread): void {
  const { session } = thread;
  if (thread.agent || session.shellFolder === session.announcedFolder) return;
  thread.addModelNote(getNote(session.shellFolder, session.announcedFolder));
  session.announcedFolder = session.shellFolder;
}

/**
 * Returns the folder that a stored conversation mentioned last. The shell itself starts in the
 * session's folder.
 */
export function findReportedFolder(entries: readonly Entry[], { context }: Session): string {
  for (const { content } of entries.toReversed()) {
    for (const { text } of content.toReversed()) {
      const notedFolder = typeof text === "string" ? NOTE.exec(text)?.[1] : undefined;
      if (notedFolder !== undefined) return notedFolder;
    }
  }
  return context.folder;
}
