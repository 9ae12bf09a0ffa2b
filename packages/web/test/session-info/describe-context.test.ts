import { expect, test } from "bun:test";
import { describeContext, findKnownWindow } from "../../src/session-info/describe-context.ts";

const context = { used: 14_100, window: 200_000, remaining: 185_900, efficiency: 7.1 };

test("until a turn is over nobody said how wide the window is, and no width is shown", () => {
  const words = describeContext({ context, turns: 0 });
  expect(words).toEqual({
    short: "14.1k",
    percent: undefined,
    long: "14,100 tokens in use",
  });
});

test("after it, what is used is shown beside the width", () => {
  const wide = { ...context, window: 1_000_000, efficiency: 1.4 };
  expect(describeContext({ context: wide, turns: 1 })).toEqual({
    short: "14.1k / 1.0M",
    percent: 1,
    long: "14,100 of 1,000,000 tokens in use",
  });
  expect(describeContext({ turns: 1 })).toBeUndefined();
});

test("in the first turn the window of the same model in another session counts", () => {
  const summary = { model: "claude-opus-5-5", turns: 1, context: { ...context, window: 500_000 } };
  const sessions = [
    { summary: { ...summary, model: "claude-haiku-5", turns: 3 }, changedAt: 9 },
    { summary: { ...summary, context }, changedAt: 1 },
    { summary, changedAt: 2 },
    { summary: { ...summary, turns: 0, context }, changedAt: 3 },
  ] as unknown as Parameters<typeof findKnownWindow>[0];
  expect(findKnownWindow(sessions, "claude-opus-5-5")).toBe(500_000);
  expect(findKnownWindow(sessions, "another")).toBeUndefined();
  expect(describeContext({ context, turns: 0 }, 141_000)).toEqual({
    short: "14.1k / 141k",
    percent: 10,
    long: "14,100 of 141,000 tokens in use",
  });
});
