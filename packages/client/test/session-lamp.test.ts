import { expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import { sessionLamp } from "../src/view/session-lamp.ts";

type Source = Parameters<typeof sessionLamp>[0];
const lamp = (news: Partial<Source> = {}, status: Session["summary"]["status"] = "idle") => {
  const { kind, word } = sessionLamp({
    state: "running",
    openAsks: 0,
    summary: { status },
    ...news,
  });
  return `${kind}: ${word}`;
};

test("the lamp of a running session shows what its agent does", () => {
  expect(lamp()).toBe("idle: idle");
  expect(lamp({}, "starting")).toBe("working: starting");
  expect(lamp({}, "active")).toBe("working: working");
  expect(lamp({ silentSince: 1 }, "active")).toBe("working: silent");
  expect(lamp({}, "compacting")).toBe("working: compacting");
  expect(lamp({}, "background")).toBe("working: in the background");
  expect(lamp({}, "asking")).toBe("waiting: needs you");
  expect(lamp({ summary: { status: "idle", lastTurn: "error" } })).toBe("failed: failed");
  expect(lamp({ summary: { status: "active", lastTurn: "error" } })).toBe("working: working");
  expect(lamp({ summary: { status: "idle", lastTurn: "interrupted" } })).toBe("idle: idle");
});

test("a request that waits for a person is shown in every state in which it can be answered", () => {
  for (const state of ["running", "starting", "new", "parked", "stopped"] as const) {
    expect(lamp({ state, openAsks: 1 })).toBe("waiting: needs you");
  }
  expect(lamp({ state: "crashed", openAsks: 1 })).toBe("failed: crashed");
  expect(lamp({ state: "unreachable", openAsks: 1 })).toBe("failed: unreachable");
});

test("a session without a process shows why", () => {
  expect(lamp({ state: "parked" })).toBe("parked: parked");
  const failed = { status: "parked", lastTurn: "error" } as const;
  expect(lamp({ state: "parked", summary: failed })).toBe("failed: failed");
  expect(lamp({ state: "stopped" })).toBe("parked: stopped");
  expect(lamp({ state: "new" })).toBe("idle: new");
  expect(lamp({ state: "starting" })).toBe("working: starting");
});
