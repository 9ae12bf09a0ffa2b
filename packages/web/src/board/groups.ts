import type { Session } from "@signalbox/client";
import { nameOf } from "../store/path.ts";
import { inert, spelled } from "../items/text/visible.ts";

export interface Group {
  readonly folder: string;
  readonly name: string;
  readonly sessions: readonly Session[];
}
export interface Filter {
  readonly text: string;
  readonly archived: boolean;
}

/** Whether all words stand somewhere in what one sees of a session. */
export function matches(session: Session, text: string): boolean {
  const { title, folder, agent, summary } = session;
  const seen = [title, folder, agent, summary.doing, summary.model].join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => seen.includes(word));
}

/** Sessions by project: those that need a person first, then what changed last; pinned ones before all. */
export function groupsOf(sessions: readonly Session[], filter: Filter): readonly Group[] {
  const shown = sessions.filter(
    (session) => session.archived === filter.archived && matches(session, filter.text),
  );
  const byFolder = Map.groupBy(shown.toSorted(byUrgency), ({ folder }) => folder);
  const groups = [...byFolder].map(([folder, inside]) => ({
    folder,
    name: nameOf(folder),
    sessions: inside,
  }));
  return groups.toSorted((a, b) => byUrgency(first(a), first(b)));
}

function first({ sessions }: Group): Session {
  return sessions[0] as Session;
}

/** What moves under one's hand is worse than an order that is a little stale: only rank and name sort. */
function byUrgency(a: Session, b: Session): number {
  return rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);
}

function rank({ pinned, openAsks }: Session): number {
  return (openAsks > 0 ? 0 : 2) + (pinned ? 0 : 1);
}

export function progressOf(todos: Session["summary"]["todos"]): { done: number; all: number } {
  return { done: todos.filter(({ status }) => status === "completed").length, all: todos.length };
}

function failed({ summary }: Session): boolean {
  const { status, lastTurn, lastError } = summary;
  return status === "idle" && lastTurn !== "success" && lastError !== undefined;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

/** An agent that dials in is started by nobody here. */
function doingDialled({ state, summary }: Session): string {
  if (state === "new") return "No agent has dialled in yet";
  if (state !== "running") return "Its agent has left; messages wait";
  if (summary.status === "active") return "Thinking";
  return summary.turns === 0 ? "Waits for its first message" : "";
}

/** What a session does this second, or what it did last, in one line. */
export function doingOf(session: Session): string {
  const { summary, problem, queue } = session;
  if (problem !== undefined) return inert(problem);
  const now = summary.todos.find(({ status }) => status === "in_progress")?.description;
  if (summary.doing !== undefined && summary.status !== "idle") return spelled(summary.doing);
  if (now !== undefined && summary.status === "active") return inert(now);
  if (failed(session)) return inert(firstLine(summary.lastError ?? ""));
  if (queue.length > 0) return `next: ${inert(queue[0]?.text ?? "")}`;
  return session.dialled === undefined ? doingWithRunner(session) : doingDialled(session);
}

function doingWithRunner({ state, summary }: Session): string {
  switch (state) {
    case "new":
      return "Nothing said yet";
    case "parked":
      return "Wakes with your next message";
    case "stopped":
      return "Stopped; your next message starts it again";
    default:
      return summary.status === "active" ? "Thinking" : "";
  }
}
