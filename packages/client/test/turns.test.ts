import { expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import { readTurnProgress } from "../src/turns/turn.ts";

function session(
  summary: Partial<Session["summary"]>,
  more: Partial<Pick<Session, "state" | "openAsks" | "queue">> = {},
): Session {
  return {
    state: "running",
    openAsks: 0,
    queue: [],
    ...more,
    summary: { status: "idle", turns: 1, tasks: [], ...summary },
  } as unknown as Session;
}

test("[TP1] a turn is over when nothing is left to do, and not before", () => {
  expect(readTurnProgress(session({}), 0)).toBe("over");
  expect(readTurnProgress(session({ status: "parked" }), 0)).toBe("over");
  expect(readTurnProgress(session({}), 1)).toBe("works");
  expect(readTurnProgress(session({ status: "active" }), 0)).toBe("works");
  expect(readTurnProgress(session({ status: "background" }), 0)).toBe("works");
  expect(readTurnProgress(session({ tasks: [{ taskId: "t" }] }), 0)).toBe("works");
  expect(readTurnProgress(session({}, { queue: [{} as Session["queue"][number]] }), 0)).toBe(
    "works",
  );
  expect(readTurnProgress(session({}, { openAsks: 1 }), 0)).toBe("asks");
  expect(readTurnProgress(session({}, { state: "crashed" }), 0)).toBe("failed");
  expect(readTurnProgress(undefined, 0)).toBe("gone");
});
