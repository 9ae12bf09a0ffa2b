import { afterEach, expect, test } from "bun:test";
import { toHubTime, setHubClockOffset } from "../../src/store/clock.ts";

afterEach(() => setHubClockOffset(0));

test("[PG58] a browser's clock that is wrong is set right by the hub's; what the way takes does not count", () => {
  setHubClockOffset(-7_200_000);
  expect(toHubTime(7_200_001)).toBe(1);
  setHubClockOffset(300);
  expect(toHubTime(5)).toBe(5);
});
