import type { ProjectView, RunnerView } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import type { BoardFrame, ItemsFrame, Session } from "../contract.ts";
import type { BoardView } from "./board-view.ts";
import type { SessionView } from "./session-view.ts";

/** A conversation as it was seen last: plain data, for a program to keep and to begin with. */
export interface SessionCopy {
  readonly epoch: string;
  readonly rev: number;
  /** There are items before these. */
  readonly older: boolean;
  readonly items: readonly Item[];
}

/** The board as it was seen last. Asks are not in it: whether they are still open, only the hub knows. */
export interface BoardCopy {
  readonly rev: number;
  readonly sessions: readonly Session[];
  readonly projects: readonly ProjectView[];
  readonly runners: readonly RunnerView[];
}

/** The newest items, as many as asked for; undefined: there is nothing to keep yet. */
export function copySession(view: SessionView, most: number): SessionCopy | undefined {
  const { has, ids } = view;
  if (!has || view.state !== "ready") return undefined;
  const items = ids.slice(-most).flatMap((id) => view.item(id) ?? []);
  return { ...has, older: view.older || ids.length > items.length, items };
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
