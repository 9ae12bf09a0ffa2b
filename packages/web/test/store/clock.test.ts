import { afterEach, expect, test } from "bun:test";
import { byHubClock, setHubClock } from "../../src/store/clock.ts";

afterEach(() => setHubClock(0));

test("[PG58] a browser's clock that is wrong is set right by the hub's; what the way takes does not count", () => {
  setHubClock(-7_200_000);
  expect(byHubClock(7_200_001)).toBe(1);
  setHubClock(300);
  expect(byHubClock(5)).toBe(5);
});
