import { describe, expect, test } from "bun:test";
import type { CutBody, Item } from "@signalbox/client";
import * as fc from "fast-check";
import { SessionView } from "../src/view/session-view.ts";
import { itemsFrame, notice, SESSION, spoken, textFrame } from "./items.ts";

function ready(items: Item[] = [], older = false): SessionView {
  const view = new SessionView(SESSION);
  view.apply(itemsFrame(items, { reset: { older }, rev: 50 }));
  return view;
}
const shown = (view: SessionView) => view.ids.map((id) => view.item(id));
const getText = (view: SessionView, id: string) => (view.item(id) as { text: string }).text;

describe("items", () => {
  test("[CL1] are in order, each once, in whatever order they arrive", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200), { minLength: 1 }), (orders) => {
        const view = ready();
        for (const order of orders) view.apply(itemsFrame([notice(order), notice(order)]));
        const sorted = orders.toSorted((a, b) => a - b);
        expect(view.ids).toEqual(sorted.map((order) => `i${order}`));
      }),
    );
  });

  test("[CL1] an item that did not change stays the same object, and the list of ids the same array", () => {
    const view = ready([notice(1), notice(2)]);
    const [ids, first] = [view.ids, view.item("i1")];
    view.apply(itemsFrame([notice(1), notice(2, 7, "changed")]));
    expect(view.ids).toBe(ids);
    expect(view.item("i1")).toBe(first as Item);
    expect(getText(view, "i2")).toBe("changed");
    view.apply(itemsFrame([notice(3)]));
    expect(view.ids).not.toBe(ids);
    expect(view.ids).toEqual(["i1", "i2", "i3"]);
  });

  test("[CL1] an older revision of an item changes nothing", () => {
    const view = ready([notice(1, 9, "new")]);
    view.apply(itemsFrame([notice(1, 4, "old")]));
    expect(getText(view, "i1")).toBe("new");
  });
});

describe("resuming", () => {
  test("[CL2] the revision of a view is known after all its frames have arrived, and not before", () => {
    const view = new SessionView(SESSION);
    expect([view.state, view.cursor]).toEqual(["loading", undefined]);
    view.apply(itemsFrame([notice(1)], { reset: { older: true }, more: true, rev: 5 }));
    expect([view.state, view.cursor, view.ids]).toEqual(["loading", undefined, []]);
    view.apply(itemsFrame([], { rev: 6 }));
    expect(view.state).toBe("ready");
    expect(view.cursor).toEqual({ epoch: "epoch-1", rev: 6 });
    expect(view.ids).toEqual(["i1"]);
    view.apply(itemsFrame([notice(2)], { rev: 7, more: true }));
    expect(view.cursor?.rev).toBe(6);
    expect(view.catchingUp).toEqual({ from: 6, at: 7 });
    view.apply(itemsFrame([], { rev: 8 }));
    expect(view.cursor?.rev).toBe(8);
    expect(view.catchingUp).toBeUndefined();
  });

  test("[CL3] a reset is shown when it is complete, and replaces everything else", () => {
    const view = ready([notice(1), notice(2)]);
    const kept = view.item("i2");
    view.apply(itemsFrame([notice(2), notice(3)], { reset: { older: true }, more: true }));
    expect(view.ids).toEqual(["i1", "i2"]);
    view.apply(itemsFrame([notice(4)]));
    expect(view.ids).toEqual(["i2", "i3", "i4"]);
    expect(view.item("i2")).toBe(kept as Item);
    expect(view.hasOlder).toBe(true);
  });

  test("[CL3] a reset that was cut off changes nothing", () => {
    const view = ready([notice(1)]);
    view.apply(itemsFrame([notice(9)], { reset: { older: false }, more: true }));
    view.reconnect();
    view.apply(itemsFrame([notice(2)], { rev: 51 }));
    expect(view.ids).toEqual(["i1", "i2"]);
  });

  test("[CL3] nothing of another epoch is kept, even with equal revisions", () => {
    const view = ready([notice(1, 1, "before")]);
    view.apply(itemsFrame([notice(1, 1, "after")], { epoch: "epoch-2", reset: { older: false } }));
    expect(getText(view, "i1")).toBe("after");
    expect(view.cursor?.epoch).toBe("epoch-2");
  });

  test("a session that is gone says so, and keeps what was seen", () => {
    const view = ready([notice(1)]);
    view.apply({ type: "gone", session: SESSION });
    expect([view.state, view.ids]).toEqual(["gone", ["i1"]]);
  });
});

describe("live text", () => {
  test("[CL4] is inserted at its offset", () => {
    const view = ready([spoken(1, "Hel")]);
    expect(view.apply(textFrame(1, 3, "lo"))).toEqual({ changed: true, reread: [] });
    expect(getText(view, "i1")).toBe("Hello");
  });

  test("[CL4] pieces that come twice or overlap give the same text", () => {
    const text = "The quick brown fox jumps over the lazy dog.";
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(44), fc.nat(12))), (cuts) => {
        const view = ready([spoken(1, "")]);
        let length = 0;
        for (const [at, size] of cuts) {
          // Gaps are left out here, because another test covers them.
          const from = Math.min(at, length);
          view.apply(textFrame(1, from, text.slice(from, from + size)));
          length = Math.max(length, Math.min(text.length, from + size));
        }
        expect(getText(view, "i1")).toBe(text.slice(0, length));
      }),
    );
  });

  test("[CL5] a gap causes one new read of the item, and pieces that come meanwhile are placed after it", () => {
    const view = ready([spoken(1, "one ")]);
    expect(view.apply(textFrame(1, 8, "three ")).reread).toEqual(["i1"]);
    expect(view.apply(textFrame(1, 14, "four")).reread).toEqual([]);
    expect(getText(view, "i1")).toBe("one ");
    expect(view.reread("i1", spoken(1, "one two thr"))).toEqual({ changed: true, reread: [] });
    expect(getText(view, "i1")).toBe("one two three four");
  });

  test("[CL5] a different text at the same offset causes a new read, too", () => {
    const view = ready([spoken(1, "abcdef")]);
    expect(view.apply(textFrame(1, 2, "XY")).reread).toEqual(["i1"]);
    view.reread("i1", spoken(1, "abXY"));
    expect(getText(view, "i1")).toBe("abXY");
  });

  test("[CL5] an item that could not be read again is requested again with the next piece", () => {
    const view = ready([spoken(1, "")]);
    view.apply(textFrame(1, 5, "x"));
    view.reread("i1", undefined);
    expect(view.apply(textFrame(1, 6, "y")).reread).toEqual(["i1"]);
  });

  test("[CL5] an item that was settled while it was read again stays settled", () => {
    const view = ready([spoken(1, "a")]);
    view.apply(textFrame(1, 5, "f"));
    view.apply(itemsFrame([spoken(1, "abcdef!", 9, false)]));
    view.reread("i1", spoken(1, "abcde", 3));
    expect(view.item("i1")).toEqual(spoken(1, "abcdef!", 9, false));
  });

  test("[CL6] may come before its item", () => {
    const view = ready();
    view.apply(textFrame(1, 0, "Hel"));
    view.apply(textFrame(1, 3, "lo"));
    view.apply(itemsFrame([spoken(1, "He")]));
    expect(getText(view, "i1")).toBe("Hello");
  });

  test("[CL6] text that was shown does not disappear when the stored text lags behind", () => {
    const view = ready([spoken(1, "")]);
    view.apply(textFrame(1, 0, "Hello world"));
    view.apply(itemsFrame([spoken(1, "Hello", 8)]));
    expect(getText(view, "i1")).toBe("Hello world");
    view.apply(itemsFrame([spoken(1, "Hello, world.", 9, false)]));
    expect(getText(view, "i1")).toBe("Hello, world.");
  });

  test("[CL6] that comes after its item settled changes nothing", () => {
    const view = ready([spoken(1, "Done.", 5, false)]);
    const item = view.item("i1");
    expect(view.apply(textFrame(1, 5, " late"))).toEqual({ changed: false, reread: [] });
    expect(view.item("i1")).toBe(item as Item);
  });

  test("[CL6] text that comes late for a call that was interrupted before it was complete changes nothing", () => {
    const call = {
      id: "i1",
      order: 1,
      turn: 0,
      kind: "tool",
      name: "Bash",
      title: "Bash",
    } as const;
    const writing = { ...call, rev: 1, status: "preparing", inputText: '{"com' } as const;
    const view = ready([writing]);
    view.apply(textFrame(1, 5, 'mand":'));
    expect(view.item("i1")).toMatchObject({ inputText: '{"command":' });
    const interrupted = { ...writing, rev: 2, status: "interrupted" } as const;
    view.apply(itemsFrame([interrupted]));
    expect(view.item("i1")).toEqual(interrupted);
    view.apply(textFrame(1, 5, "late"));
    expect(view.item("i1")).toEqual(interrupted);
  });

  test("[CL4] of a call that is being written extends its input", () => {
    const call = {
      id: "i1",
      order: 1,
      turn: 0,
      rev: 1,
      kind: "tool",
      name: "Bash",
      title: "",
    } as const;
    const view = ready([{ ...call, status: "preparing", inputText: '{"a' }]);
    view.apply(textFrame(1, 3, '":1}'));
    expect(view.item("i1")).toMatchObject({ inputText: '{"a":1}' });
  });

  test("[CL5] of an item that is too large for its frame causes a read of the whole text", () => {
    const cut: CutBody = { $blob: "f".repeat(64), bytes: 9, characters: 9, head: "a", tail: "z" };
    const view = ready([spoken(1, cut as unknown as string)]);
    expect(view.apply(textFrame(1, 9, "more")).reread).toEqual(["i1"]);
    view.reread("i1", spoken(1, "123456789"));
    expect(getText(view, "i1")).toBe("123456789more");
  });
});

describe("older pages", () => {
  test("[CL7] are placed before the loaded ones, until there are no more", () => {
    const view = ready([notice(5), notice(6)], true);
    const asked = view.beginOlderPage();
    expect(asked?.before).toBe(5);
    expect(view.beginOlderPage()).toBeUndefined(); // Only one page is loaded at a time.
    view.addOlderPage(asked ?? { resets: 0 }, { items: [notice(3), notice(4)], older: false });
    expect(view.ids).toEqual(["i3", "i4", "i5", "i6"]);
    expect([view.hasOlder, view.beginOlderPage()]).toEqual([false, undefined]);
  });

  test("[CL7] a change before the first item is not shown beside a gap", () => {
    const view = ready([notice(5)], true);
    view.apply(itemsFrame([notice(2, 60, "changed")]));
    expect(view.ids).toEqual(["i5"]);
  });

  test("[CL7] a change during the loading of its page is not lost", () => {
    const view = ready([notice(5)], true);
    const asked = view.beginOlderPage();
    view.apply(itemsFrame([notice(4, 60, "changed")]));
    view.addOlderPage(asked ?? { resets: 0 }, { items: [notice(4, 4, "as it was")], older: true });
    expect(getText(view, "i4")).toBe("changed");
  });

  test("[CL7] a page that was requested before a reset is not used", () => {
    const view = ready([notice(5)], true);
    const asked = view.beginOlderPage();
    view.apply(itemsFrame([notice(90)], { reset: { older: true } }));
    view.addOlderPage(asked ?? { resets: 0 }, { items: [notice(4)], older: false });
    expect([view.ids, view.hasOlder]).toEqual([["i90"], true]);
  });

  test("[CL7] a page of a reset has no gaps while the reset is still arriving", () => {
    const view = new SessionView(SESSION);
    view.apply(itemsFrame([notice(8), notice(9)], { reset: { older: true }, more: true }));
    view.apply(itemsFrame([notice(2, 70), notice(10)], { more: true }));
    view.apply(itemsFrame([]));
    expect(view.ids).toEqual(["i8", "i9", "i10"]);
  });

  test("[CL7] can be dropped and loaded again", () => {
    const view = ready([notice(1), notice(2), notice(3)]);
    view.forgetOlder(1);
    expect([shown(view), view.hasOlder]).toEqual([[notice(3)], true]);
    expect(view.beginOlderPage()?.before).toBe(3);
  });
});

describe("settled items that continue their text", () => {
  const settled = (text: string) => spoken(1, text, 7, false);

  test("[CL31] are completed with the text that is there", () => {
    const view = ready([spoken(1, "one two ")]);
    view.apply(textFrame(1, 8, "three "));
    const frame = itemsFrame([settled("four")], { continued: { i1: 14 } });
    expect(view.apply(frame)).toEqual({ changed: true, reread: [] });
    expect(view.item("i1")).toEqual(settled("one two three four"));
    expect(view.cursor).toBeDefined();
  });

  test("[CL31] are read again where text is missing, until they have come; a connection before that brings all", () => {
    const view = ready([spoken(1, "one ")]);
    const frame = itemsFrame([settled("four")], { continued: { i1: 14 } });
    expect(view.apply(frame).reread).toEqual(["i1"]);
    expect(view.cursor).toBeUndefined();
    expect(view.reread("i1", undefined).reread).toEqual(["i1"]);
    expect(view.reread("i1", settled("one two three four")).changed).toBe(true);
    expect(view.item("i1")).toEqual(settled("one two three four"));
    expect(view.cursor).toBeDefined();
  });
});
