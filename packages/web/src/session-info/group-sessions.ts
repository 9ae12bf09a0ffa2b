import type { Session } from "@signalbox/client";
import { baseName } from "../text/path.ts";

/** A project: the sessions of one folder on one machine. */
export interface ProjectGroup {
  readonly key: string;
  readonly runner: string;
  readonly folder: string;
  readonly name: string;
  readonly sessions: readonly Session[];
}
interface SessionFilter {
  readonly text: string;
  readonly archived: boolean;
}

/** Whether every word of the filter appears in what is shown of a session. */
function matchesFilter(session: Session, text: string): boolean {
  const { title, folder, agent, summary } = session;
  const seen = [title, folder, agent, summary.doing, summary.model].join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => seen.includes(word));
}

/** Whether a session is only shown among the archived ones. One whose agent acts without asking stays in sight. */
export function isOutOfSight({ archived, policy, state }: Session): boolean {
  const isAlive = state === "running" || state === "starting" || state === "unreachable";
  return archived && !(isAlive && policy === "autonomous");
}

/** Groups sessions by project. Sessions that need a person come first, pinned ones before the others. */
export function groupSessions(
  sessions: readonly Session[],
  filter: SessionFilter,
): readonly ProjectGroup[] {
  const shown = sessions.filter(
    (session) => isOutOfSight(session) === filter.archived && matchesFilter(session, filter.text),
  );
  const projects = Map.groupBy(shown.toSorted(byUrgency), projectKey);
  const groups = [...projects].map(([key, inside]) => {
    const { runner, folder } = inside[0] as Session;
    return { key, runner, folder, name: baseName(folder), sessions: inside };
  });
  return groups.toSorted((a, b) => byUrgency(firstSession(a), firstSession(b)));
}

function projectKey({ runner, folder }: Session): string {
  return `${runner}\n${folder}`;
}

function firstSession({ sessions }: ProjectGroup): Session {
  return sessions[0] as Session;
}

/**
 * Sorts by rank and creation time only, because tiles that move while one reaches for them are worse than a
 * stale order.
 */
function byUrgency(a: Session, b: Session): number {
  return rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);
}

function rank({ pinned, openAsks }: Session): number {
  return (openAsks > 0 ? 0 : 2) + (pinned ? 0 : 1);
}
