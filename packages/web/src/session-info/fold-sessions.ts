import type { Session } from "@signalbox/client";
import type { ProjectGroup } from "./group-sessions.ts";

/** How many sessions of a project are listed before the rest is folded. */
const SHOWN_SESSIONS = 8;
/** How many of them may be sessions of Claude Code that were never used here. */
const SHOWN_IMPORTED = 3;
/** Projects in which nothing happened for so long, and nothing here at all, are folded altogether. */
const OLD_PROJECT_MS = 14 * 24 * 3_600_000;

/** Whether a session is one of Claude Code's that nobody has used here. */
function isUnused({ transcript, run, pinned, named, queue }: Session): boolean {
  return transcript?.isImported === true && !run && !pinned && !named && queue.length === 0;
}

/** The sessions of a project that are listed at first. */
export function listFirstSessions(
  { sessions }: ProjectGroup,
  current: string | undefined,
): readonly Session[] {
  let imported = 0;
  return sessions.filter((session, index) => {
    if (session.id === current) return true;
    if (isUnused(session) && !session.transcript?.isWrittenElsewhere) imported++;
    else return index - imported < SHOWN_SESSIONS;
    return imported <= SHOWN_IMPORTED && index < SHOWN_SESSIONS;
  });
}

/** Whether all that a project has are old sessions of Claude Code. */
export function isOldProject({ sessions }: ProjectGroup, now: number): boolean {
  return sessions.every((session) => isUnused(session) && now - session.changedAt > OLD_PROJECT_MS);
}
