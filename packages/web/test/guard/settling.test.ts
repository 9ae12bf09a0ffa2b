import { expect, test } from "bun:test";
import {
  isSettledAt,
  updatePlacement,
  type ElementBox,
  type Placement,
} from "../../src/guard/settling.ts";

const place: ElementBox = { left: 10, top: 100, right: 90, bottom: 132, covered: false };
const moved = (by: number): ElementBox => ({ ...place, top: 100 + by, bottom: 132 + by });
const never = Number.NEGATIVE_INFINITY;

/** What is known of a thing after looks at it, one every 100 ms. */
function after(places: readonly ElementBox[]): Placement {
  const [first = place, ...rest] = places;
  return rest.reduce(
    (stand, at, nth) => updatePlacement(stand, "ask", at, (nth + 1) * 100),
    updatePlacement(undefined, "ask", first, 0),
  );
}

test("[PG5] what has come is deaf for half a second, then it hears", () => {
  const stand = after([place, place, place]);
  expect(isSettledAt(stand, 499, never)).toBe(false);
  expect(isSettledAt(stand, 500, never)).toBe(true);
});

test("[PG5] the half second begins anew when it moves, grows, or comes out from under something", () => {
  const covered = { ...place, covered: true };
  for (const before of [moved(40), { ...place, right: 200 }, covered]) {
    const stand = after([before, before, before, place]);
    expect(stand.since).toBe(300);
    expect(isSettledAt(stand, 700, never)).toBe(false);
    expect(isSettledAt(stand, 800, never)).toBe(true);
  }
});

test("[PG5] what lies under something hears nothing, for however long", () => {
  const stand = after([{ ...place, covered: true }]);
  expect(isSettledAt(stand, 60_000, never)).toBe(false);
});

test("[PG5] …and when another thing takes its place", () => {
  const stand = updatePlacement(after([place, place]), "another ask", place, 2000);
  expect(isSettledAt(stand, 2499, never)).toBe(false);
});

test("a trifle is no move, but many of them are one", () => {
  expect(after([place, moved(2), moved(3), place]).since).toBe(0);
  expect(after([place, moved(2), moved(4), moved(4)]).since).toBe(200);
});

test("[PG5] after an answer, or when the page has come back, everything is deaf for half a second", () => {
  const stand = after([place, place]);
  expect(isSettledAt(stand, 5499, 5000)).toBe(false);
  expect(isSettledAt(stand, 5500, 5000)).toBe(true);
});

test("[PG5] a press from before the move was not meant for what is there now", () => {
  const stand = updatePlacement(after([place]), "ask", moved(40), 9000);
  expect(isSettledAt(stand, 8990, never)).toBe(false);
});
