import { describe, expect, test } from "bun:test";
import type { Session } from "@signalbox/client";
import { describeActivity } from "../../src/session-info/describe-activity.ts";
import { groupSessions } from "../../src/session-info/group-sessions.ts";
import { countTodos } from "../../src/session-info/todo-progress.ts";
import { machineLabel } from "../../src/store/machines.ts";
import { recentFolders } from "../../src/new-session/recent-folders.ts";

function session(id: string, news: object = {}): Session {
  const summary = { status: "idle", todos: [], ...(news as { summary?: object }).summary };
  return {
    id,
    folder: "/p/a",
    title: id,
    agent: "claude-code",
    state: "running",
    pinned: false,
    archived: false,
    openAsks: 0,
    queue: [],
    createdAt: 0,
    changedAt: 0,
    ...news,
    summary,
  } as unknown as Session;
}
const doing = (news: object, now = 0) => describeActivity(session("s", news), now);
const names = (sessions: Session[], filter = { text: "", archived: false }) =>
  groupSessions(sessions, filter).map(({ name, sessions: inside }) => [
    name,
    ...inside.map(({ id }) => id),
  ]);

describe("the board", () => {
  test("groups by project; what waits comes first, then what is pinned, then the newest", () => {
    const all = [
      session("old", { createdAt: 1 }),
      session("new", { createdAt: 2 }),
      session("pinned", { pinned: true }),
      session("asks", { folder: "/p/b", openAsks: 1 }),
    ];
    expect(names(all)).toEqual([
      ["b", "asks"],
      ["a", "pinned", "new", "old"],
    ]);
  });

  test("shows an archived session among the others while its agent acts without asking", () => {
    const archived = { archived: true };
    const all = [
      session("asks-first", archived),
      session("autonomous", { ...archived, policy: "autonomous" }),
      session("away", { ...archived, policy: "autonomous", state: "unreachable" }),
      session("over", { ...archived, policy: "autonomous", state: "stopped" }),
    ];
    expect(names(all)).toEqual([["a", "autonomous", "away"]]);
    expect(names(all, { text: "", archived: true })).toEqual([["a", "asks-first", "over"]]);
  });

  test("[MC4] one path on two machines is two projects, and recent folders are those of one machine", () => {
    const [near, far] = [session("near", { runner: "own" }), session("far", { runner: "other" })];
    const groups = groupSessions([near, far], { text: "", archived: false });
    expect(groups.map(({ folder }) => folder)).toEqual(["/p/a", "/p/a"]);
    expect(new Set(groups.map(({ runner }) => runner))).toEqual(new Set(["own", "other"]));
    expect(new Set(groups.map(({ key }) => key)).size).toBe(2);
    expect(recentFolders([near, session("b", { runner: "x", folder: "/p/b" })], "x")).toEqual([
      "/p/b",
    ]);
  });

  test("[MC4] a machine's name is shown where there are several", () => {
    const own = { id: "own", machine: "box", own: true, online: true, since: 0, runs: 0 };
    const relay = { ...own, id: "relay", machine: "agents that dial in", own: false, relay: true };
    const other = { ...own, id: "other", machine: "attic", own: false };
    expect(machineLabel([own], "own")).toBeUndefined();
    expect(machineLabel([own, relay], "own")).toBeUndefined();
    expect(machineLabel([own, relay], "relay")).toBe("agents that dial in");
    expect(machineLabel([own, other], "own")).toBe("box");
    expect(machineLabel([own, other], "other")).toBe("attic");
    expect(machineLabel([own, other], "gone")).toBe("Removed machine");
  });

  test("what a session does moves nothing: only rank and age sort", () => {
    const before = [session("x", { createdAt: 2 }), session("y", { createdAt: 1, changedAt: 9 })];
    expect(names(before)).toEqual([["a", "x", "y"]]);
  });

  test("filters by every word, and shows the archive when asked", () => {
    const all = [session("fix login"), session("write docs"), session("done", { archived: true })];
    expect(names(all, { text: "FIX log", archived: false })).toEqual([["a", "fix login"]]);
    expect(names(all, { text: "", archived: true })).toEqual([["a", "done"]]);
  });

  test("tells what a session does, or why it does nothing", () => {
    const active = { status: "active", doing: "Run tests" };
    expect(doing({ summary: active })).toBe("Run tests");
    expect(doing({ state: "crashed", problem: "It died." })).toBe("It died.");
    const away = { state: "parked", problem: "The runner is away." } as const;
    expect(doing(away)).toBe("The runner is away.");
    expect(doing({ state: "parked" })).toBe("Parked. Starts with your next message.");
    expect(doing({ state: "stopped" })).toContain("Starts with your next message");
  });

  test("tells what the model does this second, and thinks only when it thinks", () => {
    const active = (news: object) => ({ summary: { status: "active", ...news } });
    expect(doing(active({}))).toBe("Waiting for the model");
    expect(doing(active({ saying: "thinking" }))).toBe("Thinking");
    expect(doing(active({ saying: "writing" }))).toBe("Writing");
    expect(doing(active({ saying: "calling" }))).toBe("Preparing a tool call");
    const todos = [{ description: "Mend it", status: "in_progress" }];
    expect(doing(active({ saying: "writing", todos }))).toBe("Writing: Mend it");
    expect(doing(active({ saying: "thinking", todos }))).toBe("Mend it");
    expect(doing({ ...active({ saying: "writing" }), state: "starting" })).toBe("");
  });

  test("counts down to the moment at which the model is asked again", () => {
    const limited = { summary: { status: "active", retry: { at: 30_000, status: 429 } } };
    expect(doing(limited, 4500)).toBe("Rate limit reached. Retrying in 26 s");
    expect(doing(limited, 30_000)).toBe("Rate limit reached. Retrying…");
    const broken = { summary: { status: "active", retry: { status: 529 } } };
    expect(doing(broken)).toBe("Overloaded. Retrying…");
  });

  test("[DC3] of an agent that dials in it never says that a message starts it", () => {
    const dialed = (state: string, summary = {}) =>
      doing({ state, dialled: { connected: true, since: 0 }, summary });
    expect(dialed("new")).toBe("No agent has connected yet");
    expect(dialed("running", { turns: 0 })).toBe("Waiting for the first message");
    expect(dialed("running", { turns: 1 })).toBe("");
    expect(dialed("running", { status: "active" })).toBe("Waiting for the model");
    for (const state of ["stopped", "parked"]) {
      expect(dialed(state)).toBe("The agent has disconnected. Messages are queued.");
    }
  });

  test("counts what is done of the list", () => {
    const todos = ["completed", "pending"].map((status) => ({ description: "d", status }));
    expect(countTodos(todos)).toEqual({ done: 1, all: 2 });
  });

  test("offers the folders that were worked in last", () => {
    const all = [session("a", { changedAt: 1 }), session("b", { changedAt: 2, folder: "/p/b" })];
    expect(recentFolders([...all, session("c", { changedAt: 0 })], undefined)).toEqual([
      "/p/b",
      "/p/a",
    ]);
  });
});
