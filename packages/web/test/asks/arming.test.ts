import { expect, test } from "bun:test";
import { arming, type Later } from "../../src/asks/arming.ts";

/** A clock that goes on only when told to. */
function clock() {
  let now = 0;
  let waiting: { at: number; run: () => void }[] = [];
  const later: Later = (run, ms) => {
    const one = { at: now + ms, run };
    waiting.push(one);
    return () => {
      waiting = waiting.filter((other) => other !== one);
    };
  };
  const goTo = (ms: number) => {
    now = ms;
    const due = waiting.filter(({ at }) => at <= now);
    waiting = waiting.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  return { later, goTo, waits: () => waiting.length };
}

function watched() {
  const time = clock();
  let armed = false;
  const arm = arming((is) => {
    armed = is;
  }, time.later);
  return { ...time, ...arm, isArmed: () => armed };
}

test("[PG5] for half a second what appeared cannot be allowed, then it can", () => {
  const it = watched();
  it.begin(true);
  it.goTo(0);
  expect(it.isArmed()).toBe(false);
  it.goTo(499);
  expect(it.isArmed()).toBe(false);
  it.goTo(500);
  expect(it.isArmed()).toBe(true);
});

test("[PG5] the half second begins anew whenever the page comes back, and not while it is away", () => {
  const it = watched();
  it.begin(true);
  it.goTo(400);
  it.begin(false);
  it.goTo(5000);
  expect(it.isArmed()).toBe(false);
  it.begin(true);
  it.goTo(5499);
  expect(it.isArmed()).toBe(false);
  it.goTo(5500);
  expect(it.isArmed()).toBe(true);
  it.begin(true);
  expect(it.isArmed()).toBe(false);
});

test("what is gone waits for nothing", () => {
  const it = watched();
  it.begin(true);
  it.end();
  expect(it.waits()).toBe(0);
});
