import type { Session } from "@signalbox/client";
import { strings } from "../strings/strings.ts";

const text = strings.session.runEnd;

/** Describes how the last run's process ended. */
export function describeRunEnd(end: Session["runEnd"]): string | undefined {
  if (!end) return undefined;
  if (end.signal !== null) return text.killed(end.signal);
  return end.exitCode === null ? text.unknown : text.exited(end.exitCode);
}
