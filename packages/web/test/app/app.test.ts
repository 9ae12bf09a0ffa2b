import { describe, expect, test } from "bun:test";
import { adjacentId } from "../../src/inbox/inbox-keys.ts";
import { readPairingCode, suggestDeviceName } from "../../src/pair/code.ts";
import { listEntries, filterEntries } from "../../src/palette/commands.ts";
import { findBinding, formatKeys, type KeyPress } from "../../src/keys/key-table.ts";
import { parseContextUsage } from "../../src/panels/context-usage.ts";
import { describeLine } from "../../src/panels/describe-line.ts";
import { buildIcon, findNew, buildTitle } from "../../src/app/tab-status.ts";
import { parseRoute } from "../../src/navigation/router.ts";
import type { AppContext } from "../../src/store/app-context.tsx";

describe("pairing", () => {
  test("the code is taken from the fragment, and nothing else is taken for one", () => {
    expect(readPairingCode("#pair=ABCD-1234")).toBe("ABCD-1234");
    expect(readPairingCode("#ABCD-1234")).toBeUndefined();
    expect(readPairingCode("#pair=<script>")).toBeUndefined();
    expect(readPairingCode("")).toBeUndefined();
  });
  test("a device has a name to begin with", () => {
    const phone =
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
    expect(suggestDeviceName(phone)).toBe("Chrome on Android");
    expect(suggestDeviceName("")).toBe("Browser on this device");
  });
});

describe("finding one's way", () => {
  test("addresses are places", () => {
    const id = "22222222-2222-4222-8222-222222222222";
    expect(parseRoute(`/s/${id}`)).toEqual({ page: "session", session: id });
    expect(parseRoute("/s/../../x")).toEqual({ page: "nowhere", path: "/s/../../x" });
    expect([parseRoute("/").page, parseRoute("/inbox").page]).toEqual(["board", "inbox"]);
  });
  test("a key has an action from the table, and letters alone have none while one types", () => {
    const press = (key: string, code: string, held: Partial<KeyPress> = {}): KeyPress => ({
      key,
      code,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...held,
    });
    const isMac = false;
    const reading = { isTyping: false, isMessageEmpty: false, isMac };
    const typing = { isTyping: true, isMessageEmpty: false, isMac };
    const empty = { isTyping: true, isMessageEmpty: true, isMac };
    const action = (...args: Parameters<typeof findBinding>) => findBinding(...args)?.action;
    const ctrl = { ctrlKey: true };
    const alt = { altKey: true };
    expect(action(press("k", "KeyK", ctrl), typing)).toBe("palette");
    expect(action(press("˜", "KeyN", alt), typing)).toBe("new-session"); // as on a Mac
    expect(action(press("q", "KeyQ"), reading)).toBeUndefined();
    expect(action(press("3", "Digit3", alt), reading)).toBe("jump-to-session");
    expect(action(press("?", "Slash", { shiftKey: true }), reading)).toBe("help");
    expect(action(press("?", "Slash", { shiftKey: true }), typing)).toBeUndefined();
    expect(action(press("[", "BracketLeft"), typing)).toBeUndefined();
    expect(action(press("F6", "F6"), typing)).toBe("next-area");
    expect(action(press("b", "KeyB", { ...ctrl, ...alt }), typing)).toBe("panel");
    expect(action(press("Enter", "Enter", ctrl), empty)).toBe("allow");
    expect(action(press("Enter", "Enter", ctrl), typing)).toBeUndefined();
    expect(action(press("Backspace", "Backspace", ctrl), empty)).toBe("deny");
    expect(action(press("Backspace", "Backspace", ctrl), typing)).toBeUndefined();
    expect(formatKeys("Mod+Alt+B", false)).toBe("Ctrl+Alt+B");
    expect(formatKeys("Mod+Alt+B", true)).toBe("⌥⌘B");
  });
  test("[PG62] on a Mac Cmd is the key of shortcuts, and Ctrl is left to the text field", () => {
    const press = { key: "k", code: "KeyK", ctrlKey: false, metaKey: false };
    const more = { altKey: false, shiftKey: false };
    const context = { isTyping: true, isMessageEmpty: false };
    const action = (held: "ctrlKey" | "metaKey", isMac: boolean) =>
      findBinding({ ...press, ...more, [held]: true }, { ...context, isMac })?.action;
    expect(action("metaKey", true)).toBe("palette");
    expect(action("ctrlKey", true)).toBeUndefined();
    expect(action("ctrlKey", false)).toBe("palette");
    expect(action("metaKey", false)).toBeUndefined();
  });
  test("the palette finds by every word, what begins with the first before the rest", () => {
    const entries = ["Go to the inbox", "Inbox rules"].map((label) => ({
      id: label,
      label,
      run() {},
    }));
    expect(filterEntries(entries, "inbox").map(({ label }) => label)).toEqual([
      "Inbox rules",
      "Go to the inbox",
    ]);
    expect(filterEntries(entries, "go inbox").map(({ label }) => label)).toEqual([
      "Go to the inbox",
    ]);
    expect(filterEntries(entries, "ibxr").map(({ label }) => label)).toEqual(["Inbox rules"]);
    expect(filterEntries(entries, "xyz")).toEqual([]);
  });
  test("the palette has the sessions with their lamps, and interrupts the turn that runs", () => {
    const session = (id: string, status: string, openAsks = 0) => ({
      id,
      title: id,
      folder: "/p",
      state: "running",
      openAsks,
      summary: { status },
    });
    const sessions = [session("busy", "active"), session("asks", "asking", 1)];
    const interrupted: string[] = [];
    const world = {
      client: {
        state: { kind: "live" },
        outbox: { messages: [] },
        interrupt: (id: string) => Promise.resolve(interrupted.push(id)),
      },
      board: { view: { sessions } },
      drafts: { names: () => [] },
      pairedDevice: { role: "driver" },
    } as unknown as AppContext;
    const entries = listEntries(world, { page: "session", session: "busy" });
    const lamps = entries.flatMap(({ label, lamp }) => (lamp ? [`${label}: ${lamp.word}`] : []));
    expect(lamps).toEqual(["asks: needs you", "busy: working"]);
    entries.find(({ id }) => id === "interrupt")?.run();
    expect(interrupted).toEqual(["busy"]);
    expect(listEntries(world, { page: "board" }).some(({ id }) => id === "interrupt")).toBe(false);
  });
  test("the inbox moves to the next and stays at its ends", () => {
    const ids = ["a", "b"];
    expect(adjacentId(ids, undefined, 1)).toBe("a");
    expect([adjacentId(ids, "a", 1), adjacentId(ids, "b", 1)]).toEqual(["b", "b"]);
    expect(adjacentId([], "a", 1)).toBeUndefined();
  });
});

describe("attention", () => {
  test("the title begins with how many wait", () => {
    expect([buildTitle(2, "Fix it"), buildTitle(0, "")]).toEqual([
      "(2) Fix it · Signalbox",
      "Signalbox",
    ]);
    expect(buildTitle(2, "Fix it", false)).toBe("(2?) Fix it · Signalbox");
  });
  test("the icon is a lamp with a number", () => {
    const icon = decodeURIComponent(buildIcon("waiting", 12));
    expect(icon).toStartWith("data:image/svg+xml,");
    expect(icon).toContain(">9+<");
  });
  test("an icon of nothing that waits has no number", () => {
    expect(decodeURIComponent(buildIcon("idle", 0))).not.toContain("<text");
  });
  test("news is what began to wait since the last look, and not what waited before the first", () => {
    const asks = [{ id: "a" }, { id: "b" }];
    expect(findNew(undefined, asks)).toEqual([]);
    expect(findNew(new Set(["a", "gone"]), asks)).toEqual([{ id: "b" }]);
  });
});

describe("panels", () => {
  test("the context is read off the agent's answer, and off nothing", () => {
    const answer = {
      categories: [
        { name: "Messages", tokens: 150, kind: "used" },
        { name: "Free space", tokens: 850, kind: "free" },
        { name: "Empty", tokens: 0 },
      ],
      totalTokens: 150,
      rawMaxTokens: 1000,
    };
    expect(parseContextUsage(answer).parts).toEqual([
      { name: "Messages", tokens: 150, share: 0.15, free: false },
      { name: "Free space", tokens: 850, share: 0.85, free: true },
    ]);
    expect(parseContextUsage(null)).toEqual({ total: 0, window: 0, parts: [] });
  });
  test("a line of the wire is told by its type", () => {
    const request = {
      type: "control_request",
      request: { subtype: "can_use_tool", tool_name: "Bash" },
    };
    expect(describeLine(JSON.stringify(request))).toBe("control_request · can_use_tool · Bash");
    expect(describeLine("not json")).toBe("not json");
  });
});
