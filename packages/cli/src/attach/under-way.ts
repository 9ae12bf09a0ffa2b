import type { Session } from "@signalbox/client";
import { lampOf } from "../hub/lamp.ts";

type Glance = Pick<Session, "state" | "openAsks" | "queue"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn">;
};

/**
 * Whether something is under way: a turn, also one that waits for an answer, a start, a message that the
 * agent does not have yet.
 */
export function isUnderWay(glance: Glance): boolean {
  const { word } = lampOf(glance);
  if (word === "working" || word === "waits for you" || word === "starting") return true;
  const ends = glance.state === "crashed" || glance.state === "stopped";
  return !ends && glance.queue.length > 0;
}
