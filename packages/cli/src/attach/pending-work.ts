import { type Session, sessionLamp } from "@signalbox/client";

type SessionActivity = Pick<Session, "state" | "openAsks" | "queue" | "silentSince"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn">;
};

/**
 * Whether something is under way: a turn, also one that waits for an answer, a start, a message that the
 * agent does not have yet.
 */
export function hasPendingWork(glance: SessionActivity): boolean {
  const { kind } = sessionLamp(glance);
  if (kind === "working" || kind === "waiting") return true;
  const ends = glance.state === "crashed" || glance.state === "stopped";
  return !ends && glance.queue.length > 0;
}
