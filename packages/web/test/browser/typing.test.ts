import { expect, test } from "bun:test";
import { TypingTracker } from "../../src/browser/typing.ts";

test("[PG5] letters typed on after their field has gone are no shortcuts, for however long one types", () => {
  const flow = new TypingTracker();
  expect(flow.key("a", true, 0)).toBe(true);
  for (let at = 200; at <= 9800; at += 200) expect(flow.key("j", false, at)).toBe(true);
  expect(flow.key("a", false, 11_800)).toBe(false); // after a pause they are
});

test("who leaves a text by a key or the mouse has shortcuts at once", () => {
  const flow = new TypingTracker();
  for (const key of ["Enter", "Escape", "Tab"]) {
    flow.key("a", true, 0);
    flow.key(key, true, 10);
    expect(flow.key("j", false, 20)).toBe(false);
  }
  flow.key("a", true, 0);
  flow.pointer();
  expect(flow.key("j", false, 20)).toBe(false);
});
