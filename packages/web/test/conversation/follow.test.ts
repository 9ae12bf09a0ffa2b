import { describe, expect, test } from "bun:test";
import {
  type Following,
  isAtEnd,
  moved,
  rested,
  type Scroll,
  strayed,
} from "../../src/conversation/follow.ts";
import { scrollsUp } from "../../src/conversation/user-scroll.ts";

/** At the end of a list of 1,000 pixels of which 400 are seen. */
const end: Scroll = { top: 600, seen: 400, whole: 1000 };
const attentive: Following = { follows: true, hands: false, stood: end };
const away: Following = { follows: false, hands: false, stood: { ...end, top: 300 } };
const withHands = (following: Following): Following => ({ ...following, hands: true });

describe("a list that follows its end", () => {
  test("[PG14] is at its end up to a line short of it", () => {
    expect([600, 560, 559].map((top) => isAtEnd({ ...end, top }))).toEqual([true, true, false]);
  });

  test("[PG14] goes on when layout has moved it up, and is put back", () => {
    // The frame grew by 200, the browser moved the list up for it, and the frame is small again.
    const grown = moved(attentive, { top: 400, seen: 600, whole: 1000 });
    const small = moved(grown, { top: 400, seen: 400, whole: 1000 });
    expect(small.follows).toBe(true);
    expect(strayed(grown, small)).toBe(true);
    // An item shrank by 300, and another of 500 came.
    const shrunk = moved(attentive, { top: 300, seen: 400, whole: 1200 });
    expect(shrunk.follows).toBe(true);
    expect(strayed(attentive, shrunk)).toBe(true);
  });

  test("[PG14] goes on when something else has moved it, such as a search in the page, and lets that be", () => {
    const found = moved(attentive, { ...end, top: 100 });
    expect(found.follows).toBe(true);
    expect(strayed(attentive, found)).toBe(false);
  });

  test("[PG14] stops at once when a person moves it up, however little", () => {
    const left = moved(withHands(attentive), { ...end, top: 597 });
    expect(left.follows).toBe(false);
    expect(strayed(attentive, left)).toBe(false);
  });

  test("[PG14] goes on when hands that touched it have moved it nowhere, or down", () => {
    expect(rested(withHands(attentive), end).follows).toBe(true);
    expect(moved(withHands(attentive), { top: 800, seen: 400, whole: 1200 }).follows).toBe(true);
  });
});

describe("a list from whose end a person has scrolled away", () => {
  test("[PG14] stays where it is, whatever layout does", () => {
    for (const now of [
      { top: 300, seen: 400, whole: 2000 },
      { top: 300, seen: 200, whole: 1000 },
      { top: 800, seen: 400, whole: 1500 },
    ]) {
      const stays = moved(away, now);
      expect(stays.follows).toBe(false);
      expect(strayed(away, stays)).toBe(false);
    }
  });

  test("[PG14] follows again from where its end is in sight", () => {
    expect(moved(away, { ...end, top: 580 }).follows).toBe(true);
    expect(moved(withHands(away), { ...end, top: 580 }).follows).toBe(true);
  });

  test("[PG14] follows again when it comes to rest near its end", () => {
    const left = moved(withHands(attentive), { ...end, top: 597 });
    expect(rested(left, left.stood)).toEqual({ follows: true, hands: false, stood: left.stood });
    expect(rested(left, { ...left.stood, whole: 1200 }).follows).toBe(false);
  });
});

test("[PG14] keys that may scroll up are those that do, and Tab", () => {
  const up = ["ArrowUp", "PageUp", "Home", "Tab"];
  expect(up.every((key) => scrollsUp({ key, shiftKey: false }))).toBe(true);
  expect(
    ["ArrowDown", "End", "a", " ", "Enter"].some((key) => scrollsUp({ key, shiftKey: false })),
  ).toBe(false);
  expect(scrollsUp({ key: " ", shiftKey: true })).toBe(true);
});
