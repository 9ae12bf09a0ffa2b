import { describe, expect, test } from "bun:test";
import { neighbour } from "../../src/inbox/inbox-keys.ts";
import { codeIn, deviceName } from "../../src/pair/code.ts";
import { entriesOf, found } from "../../src/palette/commands.ts";
import { wishOf } from "../../src/palette/shortcuts.ts";
import { contextOf } from "../../src/panels/context-parts.ts";
import { lineWords } from "../../src/panels/line-words.ts";
import { iconOf, newcomers, titleOf } from "../../src/app/attention.ts";
import { placeOf } from "../../src/navigation/router.ts";
import type { World } from "../../src/store/app-context.tsx";

describe("pairing", () => {
  test("the code is taken from the fragment, and nothing else is taken for one", () => {
    expect(codeIn("#pair=ABCD-1234")).toBe("ABCD-1234");
    expect(codeIn("#ABCD-1234")).toBeUndefined();
    expect(codeIn("#pair=<script>")).toBeUndefined();
    expect(codeIn("")).toBeUndefined();
  });
  test("a device has a name to begin with", () => {
    const phone =
      "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
    expect(deviceName(phone)).toBe("Chrome on Android");
    expect(deviceName("")).toBe("Browser on this device");
  });
});

describe("finding one's way", () => {
  test("addresses are places", () => {
    const id = "22222222-2222-4222-8222-222222222222";
    expect(placeOf(`/s/${id}`)).toEqual({ at: "session", session: id });
    expect(placeOf("/s/../../x")).toEqual({ at: "nowhere", path: "/s/../../x" });
    expect([placeOf("/").at, placeOf("/inbox").at]).toEqual(["board", "inbox"]);
  });
  test("keys are wishes, but not while one types", () => {
    const key = (name: string, ctrlKey = false) => ({
      key: name,
      ctrlKey,
      metaKey: false,
      altKey: false,
    });
    expect(wishOf(key("k", true), undefined, true)).toBe("palette");
    expect(wishOf(key("n"), undefined, false)).toBe("new");
    expect(wishOf(key("n"), undefined, true)).toBeUndefined();
    expect(wishOf(key("i"), "g", false)).toBe("inbox");
    expect(wishOf(key("i"), undefined, false)).toBeUndefined();
  });
  test("the palette finds by every word, what begins with the first before the rest", () => {
    const entries = ["Go to the inbox", "Inbox rules"].map((words) => ({
      id: words,
      words,
      run() {},
    }));
    expect(found(entries, "inbox").map(({ words }) => words)).toEqual([
      "Inbox rules",
      "Go to the inbox",
    ]);
    expect(found(entries, "go inbox").map(({ words }) => words)).toEqual(["Go to the inbox"]);
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
      credential: { device: { role: "driver" } },
    } as unknown as World;
    const entries = entriesOf(world, { at: "session", session: "busy" });
    const lamps = entries.flatMap(({ words, lamp }) => (lamp ? [`${words}: ${lamp.word}`] : []));
    expect(lamps).toEqual(["busy: working", "asks: waits for you"]);
    entries.find(({ id }) => id === "interrupt")?.run();
    expect(interrupted).toEqual(["busy"]);
    expect(entriesOf(world, { at: "board" }).some(({ id }) => id === "interrupt")).toBe(false);
  });
  test("the inbox moves to the next and stays at its ends", () => {
    const ids = ["a", "b"];
    expect(neighbour(ids, undefined, 1)).toBe("a");
    expect([neighbour(ids, "a", 1), neighbour(ids, "b", 1)]).toEqual(["b", "b"]);
    expect(neighbour([], "a", 1)).toBeUndefined();
  });
});

describe("attention", () => {
  test("the title begins with how many wait", () => {
    expect([titleOf(2, "Fix it"), titleOf(0, "")]).toEqual(["(2) Fix it · Signalbox", "Signalbox"]);
    expect(titleOf(2, "Fix it", false)).toBe("(2?) Fix it · Signalbox");
  });
  test("the icon is a lamp with a number", () => {
    const icon = decodeURIComponent(iconOf("waiting", 12));
    expect(icon).toStartWith("data:image/svg+xml,");
    expect(icon).toContain(">9+<");
  });
  test("an icon of nothing that waits has no number", () => {
    expect(decodeURIComponent(iconOf("idle", 0))).not.toContain("<text");
  });
  test("news is what began to wait since the last look, and not what waited before the first", () => {
    const asks = [{ id: "a" }, { id: "b" }];
    expect(newcomers(undefined, asks)).toEqual([]);
    expect(newcomers(new Set(["a", "gone"]), asks)).toEqual([{ id: "b" }]);
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
    expect(contextOf(answer).parts).toEqual([
      { name: "Messages", tokens: 150, share: 0.15, free: false },
      { name: "Free space", tokens: 850, share: 0.85, free: true },
    ]);
    expect(contextOf(null)).toEqual({ total: 0, window: 0, parts: [] });
  });
  test("a line of the wire is told by its type", () => {
    const request = {
      type: "control_request",
      request: { subtype: "can_use_tool", tool_name: "Bash" },
    };
    expect(lineWords(JSON.stringify(request))).toBe("control_request · can_use_tool · Bash");
    expect(lineWords("not json")).toBe("not json");
  });
});
