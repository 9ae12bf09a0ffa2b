import { expect, test } from "bun:test";
import type { AskView } from "@signalbox/client";
import type { BoardFrame, Session } from "../src/contract.ts";
import { BoardView } from "../src/view/board-view.ts";

const session = (id: string, createdAt: number, title = id) =>
  ({ id, createdAt, title }) as unknown as Session;
const ask = (id: string, status: AskView["status"] = "open", openedAt = 0) =>
  ({ id, status, openedAt, answeredBy: "a phone" }) as AskView;

function frame(part: Partial<BoardFrame>): BoardFrame {
  return { type: "board", rev: 1, reset: false, sessions: [], asks: [], gone: [], ...part };
}

test("sessions are listed newest first, and unchanged ones stay the same objects", () => {
  const board = new BoardView();
  expect(board.state).toBe("loading");
  board.apply(frame({ reset: true, sessions: [session("a", 1), session("b", 2)] }));
  expect(board.sessions.map(({ id }) => id)).toEqual(["b", "a"]);
  const [all, a] = [board.sessions, board.session("a")];
  board.apply(frame({ asks: [ask("x")] }));
  expect(board.sessions).toBe(all);
  board.apply(frame({ sessions: [session("b", 2, "renamed")] }));
  expect(board.sessions).not.toBe(all);
  expect(board.session("a")).toBe(a as Session);
  expect(board.session("b")?.title).toBe("renamed");
});

test("deleted sessions disappear, and a reset replaces the list", () => {
  const board = new BoardView();
  board.apply(frame({ reset: true, sessions: [session("a", 1), session("b", 2)] }));
  board.apply(frame({ gone: ["a"] }));
  expect(board.sessions.map(({ id }) => id)).toEqual(["b"]);
  board.apply(frame({ asks: [ask("x")], trouble: "The disk is full." }));
  expect(board.trouble).toBe("The disk is full.");
  board.apply(frame({ reset: true, sessions: [session("c", 3)] }));
  expect([board.sessions.map(({ id }) => id), board.asks, board.trouble]).toEqual([
    ["c"],
    [],
    undefined,
  ]);
});

test("open asks are listed oldest first; closed ones are kept with who answered", () => {
  const board = new BoardView();
  board.apply(frame({ asks: [ask("late", "open", 2), ask("early", "open", 1)] }));
  expect(board.asks.map(({ id }) => id)).toEqual(["early", "late"]);
  board.apply(frame({ asks: [ask("early", "answered", 1)] }));
  expect(board.asks.map(({ id }) => id)).toEqual(["late"]);
  expect(board.closedAsks).toEqual([ask("early", "answered", 1)]);
});

test("terminals that request to approve are listed apart from the board", () => {
  const board = new BoardView();
  const waiting = {
    id: "t",
    name: "a terminal",
    words: "red fox",
    at: 1,
    publicKey: "key",
    role: "approver" as const,
    status: "waiting" as const,
  };
  board.apply({ type: "elevations", elevations: [waiting] });
  board.apply(frame({ reset: true }));
  expect(board.elevations).toEqual([waiting]);
});
