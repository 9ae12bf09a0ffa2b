import { expect, test } from "bun:test";
import { describeContext } from "../../src/session-info/describe-context.ts";

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
