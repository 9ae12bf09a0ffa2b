import { describe, expect, test } from "bun:test";
import { progressOf } from "../../src/session/session-work.ts";

const session = { state: "running", rev: 300, summary: { status: "idle" } } as const;
const calm = { talk: "ready", link: "live", catchingUp: undefined, session } as const;

describe("what a session makes one wait for", () => {
  test("[PG27] nothing, when it is there and idle, or when nobody can be reached", () => {
    expect(progressOf(calm)).toBeUndefined();
    expect(progressOf({ ...calm, talk: "loading", link: "offline" })).toBeUndefined();
    expect(progressOf({ ...calm, session: undefined })).toBeUndefined();
  });

  test("[PG27] what was missed, by how much of it has come", () => {
    const behind = { ...calm, link: "catching-up" } as const;
    expect(progressOf(behind)).toEqual({ label: "Catching up" });
    const half = progressOf({ ...behind, catchingUp: { from: 100, at: 200 } });
    expect(half).toEqual({ label: "Catching up", part: 0.5 });
    // The board has not told yet how far it goes.
    const early = progressOf({ ...behind, catchingUp: { from: 300, at: 400 } });
    expect(early).toEqual({ label: "Catching up" });
  });

  test("[PG27] a first page, an agent that starts, a conversation that is compacted", () => {
    const label = (news: object) => progressOf({ ...calm, ...news })?.label;
    expect(label({ talk: "loading" })).toBe("Fetching the conversation");
    expect(label({ session: { ...session, state: "starting" } })).toBe("The agent is starting");
    const summary = { status: "compacting" };
    expect(label({ session: { ...session, summary } })).toContain("compacting");
  });
});
