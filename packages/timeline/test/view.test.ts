import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Item, ItemBody, ToolStatus } from "../src/index.ts";
import { diffLines, growingText, isFinished, isGrowing } from "../src/view/index.ts";

const item = (body: ItemBody): Item => ({ id: "i", order: 0, turn: 1, rev: 1, ...body });
const call = (status: ToolStatus, inputText?: string): Item =>
  item({
    kind: "tool",
    name: "Bash",
    title: "Bash",
    status,
    ...(inputText !== undefined && { inputText }),
  });

describe("an item that is being written", () => {
  test("is a live text, thought or block, or a call whose input is not complete", () => {
    expect(growingText(item({ kind: "text", text: "Hel", live: true }))).toBe("Hel");
    expect(growingText(item({ kind: "thinking", text: "Hm", live: true }))).toBe("Hm");
    expect(growingText(call("preparing", '{"comm'))).toBe('{"comm');
    expect(growingText(call("preparing"))).toBe("");
    const block = item({ kind: "block", block: { type: "new" }, live: true });
    expect([isGrowing(block), growingText(block)]).toEqual([true, undefined]);
  });

  test("is none once it is settled, also a call that was interrupted before its input was complete", () => {
    expect(growingText(item({ kind: "text", text: "Hello", live: false }))).toBeUndefined();
    for (const status of ["running", "complete", "error", "denied", "interrupted"] as const) {
      expect([isGrowing(call(status, '{"comm')), growingText(call(status, '{"comm'))]).toEqual([
        false,
        undefined,
      ]);
    }
  });

  test("a call is finished unless its input is being written or it runs", () => {
    const all = ["preparing", "running", "complete", "error", "denied", "interrupted"] as const;
    expect(all.filter((status) => !isFinished(status))).toEqual(["preparing", "running"]);
  });
});

test("the lines of a diff hold both texts, whole and in order", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = diffLines(before, after);
      const side = (sign: "-" | "+") =>
        lines.filter((line) => line.sign === " " || line.sign === sign).map(({ text }) => text);
      expect([side("-"), side("+")]).toEqual([before, after]);
    }),
  );
});

test("the module for browsers loads neither schemas nor modules of Node", async () => {
  const entry = new URL("../src/view/index.ts", import.meta.url).pathname;
  const built = await Bun.build({ entrypoints: [entry], target: "browser", packages: "external" });
  expect(await built.outputs[0]?.text()).not.toMatch(/^import /m);
});
