import type { ProjectView, RunnerView } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import type { BoardFrame, ItemsFrame, Session } from "../contract.ts";
import type { BoardView } from "./board-view.ts";
import type { SessionView } from "./session-view.ts";

/** The last state of a conversation: plain data that a program can store and start from. */
export interface SessionCopy {
  readonly epoch: string;
  readonly rev: number;
  /** Whether there are items before these. */
  readonly older: boolean;
  readonly items: readonly Item[];
}

/** The last state of the board, without asks: only the hub knows whether they are still open. */
export interface BoardCopy {
  readonly rev: number;
  readonly sessions: readonly Session[];
  readonly projects: readonly ProjectView[];
  readonly runners: readonly RunnerView[];
}

/**
 * Copies the newest items, at most as many as requested; undefined if there is nothing to copy yet.
 */
export function copySession(view: SessionView, maxItems: number): SessionCopy | undefined {
  const { cursor, ids } = view;
  if (!cursor || view.state !== "ready") return undefined;
  const items = ids.slice(-maxItems).flatMap((id) => view.item(id) ?? []);
  return { ...cursor, older: view.hasOlder || ids.length > items.length, items };
}

export function copyBoard(view: BoardView): BoardCopy | undefined {
  const { rev, sessions, projects, runners } = view;
  return rev === undefined ? undefined : { rev, sessions, projects, runners };
}

export function sessionFrame(session: string, copy: SessionCopy): ItemsFrame {
  const { epoch, rev, older, items } = copy;
  return { type: "items", session, epoch, rev, items: [...items], more: false, reset: { older } };
}

export function boardFrame({ rev, sessions, projects, runners }: BoardCopy): BoardFrame {
  return {
    type: "board",
    rev,
    reset: true,
    sessions: [...sessions],
    asks: [],
    projects: [...projects],
    runners: [...runners],
    gone: [],
  };
}
