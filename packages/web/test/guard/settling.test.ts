import { expect, test } from "bun:test";
import { isMeant, lookedAt, type Place, type Stand } from "../../src/guard/settling.ts";

const place: Place = { left: 10, top: 100, right: 90, bottom: 132, covered: false };
const moved = (by: number): Place => ({ ...place, top: 100 + by, bottom: 132 + by });
const never = Number.NEGATIVE_INFINITY;

/** What is known of a thing after looks at it, one every 100 ms. */
function after(places: readonly Place[]): Stand {
  const [first = place, ...rest] = places;
  return rest.reduce(
    (stand, at, nth) => lookedAt(stand, "ask", at, (nth + 1) * 100),
    lookedAt(undefined, "ask", first, 0),
  );
}

test("[PG5] what has come is deaf for half a second, then it hears", () => {
  const stand = after([place, place, place]);
  expect(isMeant(stand, 499, never)).toBe(false);
  expect(isMeant(stand, 500, never)).toBe(true);
});

test("[PG5] the half second begins anew when it moves, grows, or comes out from under something", () => {
  const covered = { ...place, covered: true };
  for (const before of [moved(40), { ...place, right: 200 }, covered]) {
    const stand = after([before, before, before, place]);
    expect(stand.since).toBe(300);
    expect(isMeant(stand, 700, never)).toBe(false);
    expect(isMeant(stand, 800, never)).toBe(true);
  }
});

test("[PG5] what lies under something hears nothing, for however long", () => {
  const stand = after([{ ...place, covered: true }]);
  expect(isMeant(stand, 60_000, never)).toBe(false);
});

test("[PG5] …and when another thing takes its place", () => {
  const stand = lookedAt(after([place, place]), "another ask", place, 2000);
  expect(isMeant(stand, 2499, never)).toBe(false);
});

test("a trifle is no move, but many of them are one", () => {
  expect(after([place, moved(2), moved(3), place]).since).toBe(0);
  expect(after([place, moved(2), moved(4), moved(4)]).since).toBe(200);
});

test("[PG5] after an answer, or when the page has come back, everything is deaf for half a second", () => {
  const stand = after([place, place]);
  expect(isMeant(stand, 5499, 5000)).toBe(false);
  expect(isMeant(stand, 5500, 5000)).toBe(true);
});

test("[PG5] a press from before the move was not meant for what is there now", () => {
  const stand = lookedAt(after([place]), "ask", moved(40), 9000);
  expect(isMeant(stand, 8990, never)).toBe(false);
});
