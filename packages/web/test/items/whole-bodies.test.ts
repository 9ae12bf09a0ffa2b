import { expect, test } from "bun:test";
import { WholeBodies } from "../../src/items/parts/whole-bodies.ts";

const cut = (text: string) => ({
  $blob: "hash",
  bytes: text.length,
  characters: text.length,
  head: text.slice(0, 3),
  tail: text.slice(-3),
});

test("a text that was written in sight is kept as the whole of its truncated body", () => {
  const bodies = new WholeBodies(100);
  expect(bodies.keep(cut("abc 123 xyz"), "abc 123 xyz")).toBe("abc 123 xyz");
  expect(bodies.get("hash")).toBe("abc 123 xyz");
});

test("another text is not taken for the whole of a truncated body", () => {
  const bodies = new WholeBodies(100);
  expect(bodies.keep(cut("abc 123 xyz"), undefined)).toBeUndefined();
  expect(bodies.keep(cut("abc 123 xyz"), "abc 12 xyz")).toBeUndefined();
  expect(bodies.keep(cut("abc 123 xyz"), "abc 123 xyy")).toBeUndefined();
  expect(bodies.get("hash")).toBeUndefined();
});

test("the texts used longest ago are forgotten first, and the newest is always kept", () => {
  const bodies = new WholeBodies(10);
  bodies.set("a", "12345");
  bodies.set("b", "12345");
  bodies.get("a");
  bodies.set("c", "12345");
  expect([bodies.get("a"), bodies.get("b"), bodies.get("c")]).toEqual([
    "12345",
    undefined,
    "12345",
  ]);
  bodies.set("d", "x".repeat(50));
  expect(bodies.get("d")).toHaveLength(50);
  expect(bodies.get("c")).toBeUndefined();
});
