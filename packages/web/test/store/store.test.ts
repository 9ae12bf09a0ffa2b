import { describe, expect, test } from "bun:test";
import { isBusy, type Item, SessionView } from "@signalbox/client";
import { ViewCache } from "../../src/storage/view-cache.ts";
import { memoryDatabase } from "../../src/storage/database.ts";
import { saveAuditHead, readAuditHeads } from "../../src/storage/audit-heads.ts";
import { ItemTree } from "../../src/store/item-tree.ts";
import { currentLamp, mostUrgent } from "../../src/store/lamp.ts";
import { baseName, abbreviateHome, relativePath } from "../../src/text/path.ts";

const SESSION = "22222222-2222-4222-8222-222222222222";
const text = (order: number, parent?: string): Item => ({
  id: `i${order}`,
  order,
  turn: 0,
  rev: order,
  kind: "text",
  text: `${order}`,
  live: false,
  ...(parent !== undefined && { parent }),
});
function createView(...items: Item[]): SessionView {
  const view = new SessionView(SESSION);
  const frame = {
    type: "items",
    session: SESSION,
    epoch: "e",
    rev: 9,
    items,
    more: false,
  } as const;
  view.apply({ ...frame, items, reset: { older: false } });
  return view;
}

describe("a conversation", () => {
  test("has a subagent's items under its call, and not among its rows", () => {
    const conversation = new ItemTree(createView(text(1), text(2, "i1"), text(3, "i1"), text(4)));
    expect(conversation.rows).toEqual(["i1", "i4"]);
    expect(conversation.children("i1").map(({ id }) => id)).toEqual(["i2", "i3"]);
  });

  test("shows those whose call is on an older page by themselves", () => {
    expect(new ItemTree(createView(text(2, "far"))).rows).toEqual(["i2"]);
  });

  test("keeps the identity of what did not change", () => {
    const view = createView(text(1), text(2, "i1"));
    const conversation = new ItemTree(view);
    const [rows, children] = [conversation.rows, conversation.children("i1")];
    const frame = { type: "items", session: SESSION, epoch: "e", rev: 10, more: false } as const;
    view.apply({ ...frame, items: [{ ...text(1), rev: 10 }] });
    expect(conversation.rows).toBe(rows);
    expect(conversation.children("i1")).toBe(children);
    view.apply({ ...frame, rev: 11, items: [{ ...text(2, "i1"), rev: 11 }] });
    expect(conversation.children("i1")).not.toBe(children);
  });

  test("finds the call into whose file a task prints, and none for other work", () => {
    const shell = (order: number, backgroundTaskId: string, path?: string): Item => ({
      id: `i${order}`,
      order,
      turn: 0,
      rev: order,
      kind: "tool",
      name: "Bash",
      title: "make",
      status: "complete",
      payload: {
        kind: "shell_exec",
        command: "make",
        background: true,
        output: {
          stdout: "",
          stderr: "",
          interrupted: false,
          truncated: false,
          backgroundTaskId,
          ...(path !== undefined && { backgroundOutputPath: path }),
        },
      },
    });
    const conversation = new ItemTree(
      createView(text(1), shell(2, "build", "/tmp/build.output"), shell(3, "silent"), text(4)),
    );
    expect(["build", "silent", "other"].map((task) => conversation.findOutputCall(task))).toEqual([
      "i2",
      undefined,
      undefined,
    ]);
  });

  test("knows what the person said before, the newest first, each once in a row", () => {
    const said = (order: number, content: string): Item => ({
      id: `i${order}`,
      order,
      turn: 0,
      rev: order,
      kind: "prompt",
      content,
      origin: "person",
      arrived: true,
    });
    const conversation = new ItemTree(createView(said(1, "a"), said(2, "b"), said(3, "b")));
    expect(conversation.prompts()).toEqual(["b", "a"]);
  });
});

describe("lamps", () => {
  const seen = (news: object) => ({
    state: "running" as const,
    openAsks: 0,
    summary: { status: "idle" as const },
    ...news,
  });
  test("show what needs a person before what runs, and nothing that is not known", () => {
    expect(currentLamp(seen({ openAsks: 1 }), true).kind).toBe("waiting");
    expect(currentLamp(seen({ summary: { status: "active" } }), true).kind).toBe("working");
    expect(currentLamp(seen({ state: "parked" }), true).kind).toBe("parked");
    expect(currentLamp(seen({ state: "crashed", openAsks: 1 }), true).kind).toBe("failed");
    expect(currentLamp(seen({ summary: { status: "idle", lastTurn: "error" } }), true).kind).toBe(
      "failed",
    );
    expect(currentLamp(seen({ openAsks: 1 }), false).kind).toBe("catching-up");
  });
  test("of many the most urgent stands for all", () => {
    expect(mostUrgent(["idle", "working", "failed"])).toBe("failed");
    expect(mostUrgent(["working", "waiting"])).toBe("waiting");
    expect(mostUrgent([])).toBe("parked");
  });
  test("a session without a process is not busy, whatever it said last", () => {
    expect(isBusy(seen({ summary: { status: "active" } }))).toBe(true);
    expect(isBusy(seen({ state: "crashed", summary: { status: "active" } }))).toBe(false);
  });
});

describe("copies", () => {
  test("of the sessions that were seen last are kept, others go", async () => {
    const copies = new ViewCache(memoryDatabase());
    const copy = { epoch: "e", rev: 1, older: false, items: [] };
    for (let nth = 0; nth < 40; nth++) await copies.saveSession(`s${nth}`, copy, nth);
    expect(await copies.session("s0")).toBeUndefined();
    expect(await copies.session("s39")).toEqual(copy);
  });

  test("that come a moment after the hub was left are not kept", async () => {
    const copies = new ViewCache(memoryDatabase());
    copies.close();
    await copies.saveSession("late", { epoch: "e", rev: 1, older: false, items: [] }, 1);
    await copies.saveBoard({ rev: 1, sessions: [], projects: [], runners: [] }, 1);
    expect([await copies.session("late"), await copies.board()]).toEqual([undefined, undefined]);
  });
});

describe("paths", () => {
  test("are told from where one stands", () => {
    expect(baseName("/a/b/")).toBe("b");
    expect(abbreviateHome("/home/me/x")).toBe("~/x");
    expect(relativePath("/a/b/c.ts", "/a/b")).toBe("c.ts");
    expect(relativePath("/a/bc.ts", "/a/b")).toBe("/a/bc.ts");
  });
});

test("heads of the audit log are kept by hub, the newest last, and never more than a hub takes", async () => {
  const database = memoryDatabase();
  for (const head of ["a", "b", "b", "a"]) await saveAuditHead(database, "hub", head);
  expect(await readAuditHeads(database, "hub")).toEqual(["b", "a"]);
  for (let nth = 0; nth < 120; nth++) await saveAuditHead(database, "hub", `${nth}`);
  expect(await readAuditHeads(database, "hub")).toHaveLength(100);
  expect(await readAuditHeads(database, "other")).toEqual([]);
});
