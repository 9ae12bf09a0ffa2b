import { type Session, sessionLamp } from "@signalbox/client";

type SessionActivity = Pick<Session, "state" | "openAsks" | "queue" | "silentSince"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn">;
};

/**
 * Whether a turn or a start is running (a turn that waits for an answer counts), or the agent does not have a
 * queued message yet.
 */
export function hasPendingWork(session: SessionActivity): boolean {
  const { kind } = sessionLamp(session);
  if (kind === "working" || kind === "waiting") return true;
  const hasEnded = session.state === "crashed" || session.state === "stopped";
  return !hasEnded && session.queue.length > 0;
}
