import { expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import { turnStand } from "../src/turns/turn.ts";

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
  expect(turnStand(session({}), 0)).toBe("over");
  expect(turnStand(session({ status: "parked" }), 0)).toBe("over");
  expect(turnStand(session({}), 1)).toBe("works");
  expect(turnStand(session({ status: "active" }), 0)).toBe("works");
  expect(turnStand(session({ status: "background" }), 0)).toBe("works");
  expect(turnStand(session({ tasks: [{ taskId: "t" }] }), 0)).toBe("works");
  expect(turnStand(session({}, { queue: [{} as Session["queue"][number]] }), 0)).toBe("works");
  expect(turnStand(session({}, { openAsks: 1 }), 0)).toBe("asks");
  expect(turnStand(session({}, { state: "crashed" }), 0)).toBe("failed");
  expect(turnStand(undefined, 0)).toBe("gone");
});
