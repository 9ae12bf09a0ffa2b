import { describe, expect, test } from "bun:test";
import { describeSessionWork } from "../../src/session/session-work.ts";

const session = { state: "running", rev: 300, summary: { status: "idle" } } as const;
const calm = { viewState: "ready", link: "live", catchingUp: undefined, session } as const;

describe("what a session makes one wait for", () => {
  test("[PG27] nothing, when it is there and idle, or when nobody can be reached", () => {
    expect(describeSessionWork(calm)).toBeUndefined();
    expect(describeSessionWork({ ...calm, viewState: "loading", link: "offline" })).toBeUndefined();
    expect(describeSessionWork({ ...calm, session: undefined })).toBeUndefined();
  });

  test("[PG27] what was missed, by how much of it has come", () => {
    const behind = { ...calm, link: "catching-up" } as const;
    expect(describeSessionWork(behind)).toEqual({ label: "Catching up" });
    const half = describeSessionWork({ ...behind, catchingUp: { from: 100, at: 200 } });
    expect(half).toEqual({ label: "Catching up", part: 0.5 });
    // The board has not told yet how far it goes.
    const early = describeSessionWork({ ...behind, catchingUp: { from: 300, at: 400 } });
    expect(early).toEqual({ label: "Catching up" });
  });

  test("[PG27] a first page, an agent that starts, a conversation that is compacted", () => {
    const label = (news: object) => describeSessionWork({ ...calm, ...news })?.label;
    expect(label({ viewState: "loading" })).toBe("Loading conversation");
    expect(label({ session: { ...session, state: "starting" } })).toBe("Starting the agent");
    const summary = { status: "compacting" };
    expect(label({ session: { ...session, summary } })).toContain("Compacting");
  });
});
