import { describe, expect, test } from "bun:test";
import {
  failStart,
  followRow,
  type Lifecycle,
  loseTurnEnd,
  mustReplaceLostRun,
  mustStart,
  observeIdle,
  observeRunner,
  requestStart,
  restoreLifecycle,
  startRun,
} from "../../src/session/lifecycle.ts";

const run = "a-run";
const running = (more: Partial<Extract<Lifecycle, { kind: "running" }>> = {}): Lifecycle => ({
  kind: "running",
  run,
  isTurnEndUncertain: false,
  restartRequested: false,
  ...more,
});
const ended = (startRequested: boolean): Lifecycle => ({ kind: "ended", startRequested });

describe("the lifecycle of a session", () => {
  test.each([
    ["new", null, true],
    ["parked", run, true],
    ["stopped", run, false],
    ["crashed", run, false],
  ])(
    "starts automatically after the hub has started if it was stored as new or parked: %s",
    (state, id, starts) => {
      expect(mustStart(restoreLifecycle({ state, run: id }))).toBe(starts);
    },
  );

  test.each(["starting", "running"])(
    "is alive after the hub has started if it was stored as %s",
    (state) => {
      expect(restoreLifecycle({ state, run })).toMatchObject({ kind: state, run });
    },
  );

  test("changes from ended to starting to running, and back to ended without another start", () => {
    const requested = requestStart(ended(false), true);
    expect(mustStart(requested)).toBe(true);
    const starting = startRun(run);
    const alive = followRow(starting, { state: "running", run });
    expect(alive).toEqual(running());
    expect(followRow(alive, { state: "parked", run })).toEqual(ended(false));
  });

  test("still requests a start when one has failed", () => {
    expect(mustStart(failStart())).toBe(true);
    expect(followRow(failStart(), { state: "crashed", run })).toEqual(failStart());
  });

  test("replaces a lost run that was starting, or that got a message while the runner was away", () => {
    expect(mustReplaceLostRun(startRun(run))).toBe(true);
    expect(mustReplaceLostRun(running())).toBe(false);
    expect(mustReplaceLostRun(requestStart(running(), true))).toBe(false);
    const away = requestStart(running(), false);
    expect(mustReplaceLostRun(away)).toBe(true);
    expect(mustReplaceLostRun(observeRunner(away))).toBe(false);
    expect(mustReplaceLostRun(ended(true))).toBe(false);
  });

  test("keeps the facts about a run when its row changes, and forgets them when the run ends", () => {
    const uncertain = loseTurnEnd(startRun(run));
    expect(followRow(uncertain, { state: "running", run })).toEqual(
      running({ isTurnEndUncertain: true }),
    );
    expect(followRow(running({ restartRequested: true }), { state: "running", run })).toEqual(
      running({ restartRequested: true }),
    );
    expect(followRow(uncertain, { state: "stopped", run })).toEqual(ended(false));
  });

  test("does not know whether the turn has ended after lines were lost, until the agent is known to wait", () => {
    const uncertain = loseTurnEnd(running());
    expect(uncertain).toMatchObject({ isTurnEndUncertain: true });
    expect(observeIdle(uncertain)).toEqual(running());
    expect(loseTurnEnd(ended(true))).toEqual(ended(true));
    expect(observeIdle(ended(true))).toEqual(ended(true));
  });
});
