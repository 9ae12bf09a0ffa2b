import { describe, expect, test } from "bun:test";
import type { AskView, Session } from "@signalbox/client";
import { HubError } from "@signalbox/client";
import type { Item } from "@signalbox/timeline";
import { until } from "@signalbox/testing/until";
import { toTerminalAsk, toHubDecision } from "../src/attach/convert-ask.ts";
import { ItemPrinter } from "../src/attach/item-printer.ts";
import { formatAuditTable } from "../src/commands/audit.ts";
import { formatSessionTable } from "../src/commands/ls.ts";
import { getExitCode, CommandError } from "../src/command-error.ts";
import { resolveDataFolder } from "../src/hub/data-folder.ts";
import { getTerminalLamp } from "../src/hub/lamp.ts";
import { pickSession } from "../src/hub/pick-session.ts";
import { formatItem } from "../src/replay/item-text.ts";
import { formatBlockedPath } from "../src/run/ask-on-terminal.ts";
import { truncateMiddle, formatTable } from "../src/hub/table.ts";
import { formatTimestamp, formatDuration } from "../src/hub/times.ts";
import { createStyle } from "../src/terminal/style.ts";

const plain = createStyle({}, {});

function session(part: Partial<Session> = {}): Session {
  const id = crypto.randomUUID();
  const summary = { status: "idle", costUsd: 0 };
  const glance = { id, title: "a title", folder: "/work", state: "running", openAsks: 0 };
  return { ...glance, labels: [], queue: [], changedAt: 0, summary, ...part } as unknown as Session;
}
const doing = (status: string) => ({ status, costUsd: 0 }) as Session["summary"];

describe("the lamp", () => {
  test("shows what a session is doing, in a shape and a word", () => {
    const words = (part: Partial<Session>) => {
      const { shape, word } = getTerminalLamp(session(part));
      return `${shape} ${word}`;
    };
    expect(words({ summary: doing("active") })).toBe("● working");
    expect(words({ summary: doing("background") })).toBe("● in the background");
    expect(words({ openAsks: 1, summary: doing("asking") })).toBe("▲ needs you");
    expect(words({})).toBe("○ idle");
    const failed = { ...doing("idle"), lastTurn: "error", lastError: "403: no" };
    expect(words({ summary: failed })).toBe("✗ failed");
    expect(words({ summary: { ...failed, status: "active" } })).toBe("● working");
    expect(words({ summary: { ...failed, lastTurn: "interrupted" } })).toBe("○ idle");
    expect(words({ state: "parked" })).toBe("◌ parked");
    expect(words({ state: "stopped" })).toBe("◌ stopped");
    expect(words({ state: "crashed" })).toBe("✗ crashed");
    expect(words({ state: "unreachable", openAsks: 1 })).toBe("✗ unreachable");
    expect(words({ state: "starting" })).toBe("● starting");
    expect(words({ summary: doing("starting") })).toBe("● starting");
  });

  test("puts what waits for a person on top of the list", () => {
    const old = session({ openAsks: 1, changedAt: 1, title: "asks" });
    const young = session({ changedAt: 90_000, title: "idles\u001b[31m" });
    const lines = formatSessionTable([young, old], 100_000, plain);
    expect(lines[0]).toMatch(/^▲ needs you {2}[0-9a-f]{8} {2}asks +\/work +1 min$/);
    expect(lines[1]).toMatch(/^○ idle {7}[0-9a-f]{8} {2}idles␛\[31m +\/work +10 s$/);
  });
});

test("the list marks agents that ask nobody, and says why a turn failed", () => {
  const summary = { ...doing("idle"), lastTurn: "error", lastError: "Not logged in\nat all" };
  const failed = session({ summary, title: "fails", changedAt: 2 });
  const bold = session({ policy: "autonomous", title: "dares" });
  const lines = formatSessionTable([failed, bold], 2, plain);
  expect(lines[0]).toMatch(/^✗ failed .*fails .* Not logged in$/);
  expect(lines[1]).toMatch(/^○ idle, autonomous {2}[0-9a-f]{8} {2}dares/);
});

describe("naming a session", () => {
  const one = session({ id: "abcd1111-0000-4000-8000-000000000000", title: "Fix it" });
  const two = session({ id: "abcd2222-0000-4000-8000-000000000000", title: "fix it" });
  const failure = (meant: string) => {
    try {
      return pickSession([one, two], meant);
    } catch (failure) {
      return failure as CommandError;
    }
  };

  test("works by the beginning of its id", () => {
    expect(pickSession([one, two], "abcd1")).toBe(one);
    expect(pickSession([one, two], two.id)).toBe(two);
  });

  test("works by its title where that is one's alone, and says so where it is not", () => {
    expect(pickSession([one], "FIX IT")).toBe(one);
    expect(failure("fix it")).toMatchObject({ exit: 2 });
    expect((failure("abcd") as CommandError).message).toContain("abcd2222  running  fix it");
    expect(failure("   ")).toMatchObject({ exit: 4 });
  });

  test("works by any beginning that one session alone has, however short, also parked and archived", () => {
    const parked = session({ id: "81c00000-0000-4000-8000-000000000000", state: "parked" });
    const archived = session({ id: "9f000000-0000-4000-8000-000000000000", archived: true });
    const all = [one, two, parked, archived];
    expect(pickSession(all, "81c")).toBe(parked);
    expect(pickSession(all, "9")).toBe(archived);
    expect(failure("a")).toMatchObject({ exit: 2 });
    const named = session({ id: "77000000-0000-4000-8000-000000000000", title: "81C" });
    expect(() => pickSession([...all, named], "81c")).toThrow("77000000");
    const twin = session({ id: "81c00000-1111-4000-8000-000000000000" });
    expect(() => pickSession([parked, twin], "81c0")).toThrow(twin.id); // more than eight characters
  });
});

test("[HB80] the audit table says what was allowed, with changes or as asked, and denied, on one safe line each", () => {
  const entry = (nth: number, what: string, facts: Record<string, unknown>) => ({
    nth,
    at: 0,
    what,
    by: "d1",
    facts,
    hash: "",
  });
  const base = { ask: "x", tool: "Bash", title: "Say hello", hash: "h" };
  const input = "rm -rf build\u001b[2J\u202e";
  const lines = formatAuditTable(
    [
      entry(1, "answered", { ...base, input, decision: { behavior: "allow" } }),
      entry(2, "answered", { ...base, input: "rm", edited: "ls", decision: { behavior: "allow" } }),
      entry(3, "answered", { ...base, input, decision: { behavior: "deny", message: "a\nb" } }),
      entry(4, "expired", { ...base, input }),
      entry(5, "answered", { ...base, decision: { behavior: "allow" } }), // of an older hub
      entry(6, "paired", { name: "x" }),
    ],
    new Map([["d1", "my\nphone"]]),
  );
  const ends = [
    "my phone  allowed Bash: rm -rf build␛[2J<U+202E>",
    "my phone  allowed with changes Bash: ls (requested: rm)",
    "my phone  denied (a b) Bash: rm -rf build␛[2J<U+202E>",
    "my phone  expired Bash: rm -rf build␛[2J<U+202E>",
    "my phone  allowed Bash: Say hello",
    'my phone  {"name":"x"}',
  ];
  for (const [at, end] of ends.entries()) expect(lines[at]).toEndWith(end);
});

test("[HB82] the path that blocked a call reaches the terminal's dialog, and is printed on one safe line", () => {
  const view = { requestId: "r", kind: "permission", tool: "Bash", title: "Bash", input: {} };
  const asked = { ...view, suggestions: [], blockedPath: "/etc/x" } as unknown as AskView;
  expect(toTerminalAsk(asked)?.request).toMatchObject({ blocked_path: "/etc/x" });
  expect(formatBlockedPath("/etc/x\n\u202e\u001b[2J")).toBe("Blocked path: /etc/x␊<U+202E>␛[2J");
});

describe("small things", () => {
  test("the data folder is the one named, else SIGNALBOX_DATA, else XDG's, else the home's", () => {
    expect(resolveDataFolder("/x/y", { SIGNALBOX_DATA: "/set" })).toBe("/x/y");
    expect(resolveDataFolder(undefined, { SIGNALBOX_DATA: "/set", XDG_DATA_HOME: "/xdg" })).toBe(
      "/set",
    );
    expect(resolveDataFolder(undefined, { XDG_DATA_HOME: "/xdg" })).toBe("/xdg/signalbox");
    expect(resolveDataFolder(undefined, { XDG_DATA_HOME: "relative" })).toEndWith(
      "/.local/share/signalbox",
    );
  });

  test("times and tables", () => {
    expect([0, 5_000, 61_000, 7_200_000, 3 * 86_400_000].map(formatDuration)).toEqual([
      "now",
      "5 s",
      "1 min",
      "2 h",
      "3 d",
    ]);
    expect(formatTimestamp(Date.now())).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(
      formatTable(
        [
          ["a", "1"],
          ["bbb", "22"],
        ],
        [1],
      ),
    ).toEqual(["a     1", "bbb  22"]);
    expect(truncateMiddle("/a/very/long/path/to/a/file", 12)).toBe("/a/v…/a/file");
  });

  test("a refusal's status becomes an exit code", () => {
    const exit = (status: number) => getExitCode(new HubError({ code: "x", status, detail: "" }));
    expect([404, 422, 403, 409, 500, 0].map(exit)).toEqual([4, 2, 3, 3, 1, 1]);
  });
});

describe("asks of the hub at the terminal", () => {
  const view = (part: Partial<AskView>): AskView => ({
    id: "i",
    session: "s",
    run: "r",
    requestId: "q",
    kind: "permission",
    title: "Bash",
    tool: "Bash",
    input: { command: "ls" },
    hash: "h",
    suggestions: [{ type: "addRules", rules: [] }],
    openedAt: 0,
    status: "open",
    ...part,
  });

  test("are the asks that the terminal knows", () => {
    expect(toTerminalAsk(view({}))).toMatchObject({ kind: "permission", tool: "Bash" });
    const subagent = { type: "Explore", description: "Find the clock" };
    expect(toTerminalAsk(view({ agentId: "a1" }))).toMatchObject({ agentId: "a1" });
    expect(toTerminalAsk(view({ agentId: "a1", subagent }))).toMatchObject({
      agentId: "Explore: Find the clock",
    });
    const questions = [{ question: "Which?", options: [] }];
    expect(toTerminalAsk(view({ kind: "question", input: { questions } }))).toMatchObject({
      questions,
    });
    expect(toTerminalAsk(view({ kind: "plan", input: { plan: "do it" } }))).toMatchObject({
      plan: "do it",
    });
    expect(toTerminalAsk(view({ kind: "dialog" }))).toBeUndefined();
  });

  test("what is remembered is named by its place, and by nothing else", () => {
    const ask = view({});
    const remember = [{ type: "addRules", rules: [] }];
    expect(toHubDecision({ behavior: "allow", remember }, ask)).toEqual({
      behavior: "allow",
      remember: [0],
    });
    const mode = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
    expect(toHubDecision({ behavior: "allow", remember: mode }, ask)).toEqual({
      behavior: "allow",
    });
    const plan = view({ kind: "plan" });
    expect(toHubDecision({ behavior: "allow", remember: mode }, plan)).toEqual({
      behavior: "allow",
      mode: "acceptEdits",
    });
  });
});

describe("following", () => {
  function follow() {
    const said = { answer: "", note: "" };
    const view = new ItemPrinter({
      answer: (text) => (said.answer += text),
      note: (text) => (said.note += text),
      sharesScreen: false,
      screen: {},
      style: plain,
      body: () => Promise.resolve("the whole text"),
    });
    return { view, said };
  }
  const text = (text: unknown, live: boolean): Item =>
    ({ id: "t", order: 1, turn: 0, rev: 1, kind: "text", text, live }) as Item;

  test("growing text is printed as it grows, once", () => {
    const { view, said } = follow();
    for (const part of ["Hel", "Hello", "Hello wor"]) view.print(text(part, true));
    view.print(text("Hello world", false));
    view.print(text("Hello world", false));
    expect(said.answer).toBe("Hello world\n");
    expect(view.hasChanges(text("Hello world", false))).toBe(false);
  });

  test("a text that grew too long to ride in its item is finished from its body", async () => {
    const { view, said } = follow();
    view.print(text("the wh", true));
    const cut = { $blob: "b", bytes: 14, characters: 14, head: "the", tail: "text" };
    view.print(text(cut, false));
    await until("the text is finished", () => said.answer.endsWith("\n"), {
      seen: () => said.answer,
    });
    expect(said.answer).toBe("the whole text\n");
  });

  test("a call is named when it begins, and what it gave when it is over", () => {
    const { view, said } = follow();
    const call = { id: "c", order: 2, turn: 0, rev: 1, kind: "tool", name: "Bash", title: "ls" };
    const payload = { kind: "shell_exec", command: "ls", background: false };
    view.print({ ...call, status: "preparing" } as Item);
    expect(said.note).toBe("");
    view.print({ ...call, status: "running", payload } as Item);
    view.print({ ...call, status: "running", payload } as Item);
    expect(said.note).toBe("● Bash ls\n");
    const output = { stdout: "a.txt\n", stderr: "", interrupted: false, truncated: false };
    view.print({ ...call, status: "complete", payload: { ...payload, output } } as Item);
    expect(said.note).toBe("● Bash ls\n  ⎿ a.txt\n");
  });

  test("[TS16] a call that a hook allowed or changed is marked, once, also when the mark comes late", () => {
    const call = { id: "c", order: 2, turn: 0, rev: 1, kind: "tool", name: "Bash", title: "ls" };
    const payload = { kind: "shell_exec", command: "ls", background: false };
    const mark = {
      how: "changed",
      text: "A hook had this run instead:",
      ran: '{"command":"rm\u001b[2J"}',
    };
    const marked = { ...call, status: "running", payload, mark } as Item;
    const early = follow();
    early.view.print({ ...marked, status: "error", payload: { ...payload, error: "no" } } as Item);
    early.view.print(marked);
    const told = '  ⚠ A hook had this run instead:\n    {"command":"rm␛[2J"}\n';
    expect(early.said.note).toBe(`● Bash ls\n${told}  ⎿ no\n`);
    const late = follow();
    late.view.print({ ...call, status: "complete", payload } as Item);
    expect(late.view.hasChanges({ ...marked, status: "complete" } as Item)).toBe(true);
    late.view.print({ ...marked, status: "complete" } as Item);
    expect(late.view.hasChanges({ ...marked, status: "complete" } as Item)).toBe(false);
    expect(late.said.note).toBe(`● Bash ls\n${told.replace("A hook", "Bash ls: A hook")}`);
    const past = follow();
    past.view.skip("c");
    expect(past.view.hasChanges(marked)).toBe(false);
    expect(formatItem(marked).join("\n")).toContain("⚠ A hook had this run instead:");
  });

  test("an ask that expired is told apart from one that was withdrawn", () => {
    const { view, said } = follow();
    const ask = { order: 3, turn: 0, rev: 1, kind: "ask", title: "ls", status: "cancelled" };
    view.print({ ...ask, id: "w" } as Item);
    const message = "Nobody answered within 5 minutes, so this was not allowed.";
    view.print({ ...ask, id: "e", status: "expired", behavior: "deny", message } as Item);
    expect(said.note).toContain("ls: withdrawn\n");
    expect(said.note).toContain(`ls: expired (${message})`);
  });

  test("what was there before is passed over", () => {
    const { view, said } = follow();
    view.skip("t");
    view.print(text("old", false));
    expect(said.answer).toBe("");
  });
});
