import { expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import { readTurnStatus } from "../src/turns/turn.ts";

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
  expect(readTurnStatus(session({}), 0)).toBe("over");
  expect(readTurnStatus(session({ status: "parked" }), 0)).toBe("over");
  expect(readTurnStatus(session({}), 1)).toBe("works");
  expect(readTurnStatus(session({ status: "active" }), 0)).toBe("works");
  expect(readTurnStatus(session({ status: "background" }), 0)).toBe("works");
  expect(readTurnStatus(session({ tasks: [{ taskId: "t" }] }), 0)).toBe("works");
  expect(readTurnStatus(session({}, { queue: [{} as Session["queue"][number]] }), 0)).toBe("works");
  expect(readTurnStatus(session({}, { openAsks: 1 }), 0)).toBe("asks");
  expect(readTurnStatus(session({}, { state: "crashed" }), 0)).toBe("failed");
  expect(readTurnStatus(undefined, 0)).toBe("gone");
});
