import { expect, test } from "bun:test";
import { backoffDelayMs } from "../src/backoff.ts";

test("[CL9] [LK12] the delay before the next attempt grows up to a limit, and differs from client to client", () => {
  const backoff = { firstMs: 200, maxMs: 5000 };
  const delays = (random: number) =>
    [0, 1, 2, 3, 10, 1000].map((failures) => backoffDelayMs(failures, backoff, random));
  expect(delays(1)).toEqual([200, 400, 800, 1600, 5000, 5000]);
  expect(delays(0)).toEqual([100, 200, 400, 800, 2500, 2500]);
  expect(backoffDelayMs(1, backoff, 0.5)).toBe(300);
  expect(backoffDelayMs(3, { firstMs: 0, maxMs: 0 })).toBe(0);
});
