import { expect, test } from "bun:test";
import { activeTime } from "../../src/items/tools/active-time.ts";

test("[IV9] a call's duration is without the time in which a person was asked about it", () => {
  expect(activeTime(1000, 5000)).toBe(4000);
  expect(activeTime(1000, 5000, [{ from: 2000, to: 4500 }])).toBe(1500);
  // It ended, or is looked at, while it waits.
  expect(activeTime(1000, 5000, [{ from: 1500 }])).toBe(500);
  expect(
    activeTime(0, 100, [
      { from: 50, to: 70 },
      { from: 10, to: 60 },
    ]),
  ).toBe(40);
  // Clocks that were set in between.
  expect(activeTime(1000, 900, [{ from: 950, to: 2000 }])).toBe(0);
  expect(activeTime(1000, 2000, [{ from: 0, to: 1500 }])).toBe(500);
});
