import { describe, expect, test } from "bun:test";
import {
  type FollowState,
  isAtEnd,
  afterScroll,
  afterUserScroll,
  type ScrollPosition,
  hasDrifted,
} from "../../src/conversation/follow.ts";
import { scrollsUp } from "../../src/conversation/user-scroll.ts";

/** At the end of a list of 1,000 pixels of which 400 are seen. */
const end: ScrollPosition = { top: 600, viewport: 400, content: 1000 };
const attentive: FollowState = { isFollowing: true, isUserScrolling: false, position: end };
const away: FollowState = {
  isFollowing: false,
  isUserScrolling: false,
  position: { ...end, top: 300 },
};
const withHands = (following: FollowState): FollowState => ({
  ...following,
  isUserScrolling: true,
});

describe("a list that follows its end", () => {
  test("[PG14] is at its end up to a line short of it", () => {
    expect([600, 560, 559].map((top) => isAtEnd({ ...end, top }))).toEqual([true, true, false]);
  });

  test("[PG14] goes on when layout has moved it up, and is put back", () => {
    // The frame grew by 200, the browser moved the list up for it, and the frame is small again.
    const grown = afterScroll(attentive, { top: 400, viewport: 600, content: 1000 });
    const small = afterScroll(grown, { top: 400, viewport: 400, content: 1000 });
    expect(small.isFollowing).toBe(true);
    expect(hasDrifted(grown, small)).toBe(true);
    // An item shrank by 300, and another of 500 came.
    const shrunk = afterScroll(attentive, { top: 300, viewport: 400, content: 1200 });
    expect(shrunk.isFollowing).toBe(true);
    expect(hasDrifted(attentive, shrunk)).toBe(true);
  });

  test("[PG14] goes on when something else has moved it, such as a search in the page, and lets that be", () => {
    const found = afterScroll(attentive, { ...end, top: 100 });
    expect(found.isFollowing).toBe(true);
    expect(hasDrifted(attentive, found)).toBe(false);
  });

  test("[PG14] stops at once when a person moves it up, however little", () => {
    const left = afterScroll(withHands(attentive), { ...end, top: 597 });
    expect(left.isFollowing).toBe(false);
    expect(hasDrifted(attentive, left)).toBe(false);
  });

  test("[PG14] goes on when hands that touched it have moved it nowhere, or down", () => {
    expect(afterUserScroll(withHands(attentive), end).isFollowing).toBe(true);
    expect(
      afterScroll(withHands(attentive), { top: 800, viewport: 400, content: 1200 }).isFollowing,
    ).toBe(true);
  });
});

describe("a list from whose end a person has scrolled away", () => {
  test("[PG14] stays where it is, whatever layout does", () => {
    for (const now of [
      { top: 300, viewport: 400, content: 2000 },
      { top: 300, viewport: 200, content: 1000 },
      { top: 800, viewport: 400, content: 1500 },
    ]) {
      const stays = afterScroll(away, now);
      expect(stays.isFollowing).toBe(false);
      expect(hasDrifted(away, stays)).toBe(false);
    }
  });

  test("[PG14] follows again from where its end is in sight", () => {
    expect(afterScroll(away, { ...end, top: 580 }).isFollowing).toBe(true);
    expect(afterScroll(withHands(away), { ...end, top: 580 }).isFollowing).toBe(true);
  });

  test("[PG14] follows again when it comes to rest near its end", () => {
    const left = afterScroll(withHands(attentive), { ...end, top: 597 });
    expect(afterUserScroll(left, left.position)).toEqual({
      isFollowing: true,
      isUserScrolling: false,
      position: left.position,
    });
    expect(afterUserScroll(left, { ...left.position, content: 1200 }).isFollowing).toBe(false);
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
