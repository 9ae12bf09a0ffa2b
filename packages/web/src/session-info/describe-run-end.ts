import type { Session } from "@signalbox/client";

/** Describes how the last run's process ended. */
export function describeRunEnd(end: Session["runEnd"]): string | undefined {
  if (!end) return undefined;
  if (end.signal !== null) return `killed by ${end.signal}`;
  return end.exitCode === null ? "nobody saw how" : `with exit code ${end.exitCode}`;
}
