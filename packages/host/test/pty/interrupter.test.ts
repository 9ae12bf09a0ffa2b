import { describe, expect, test } from "bun:test";
import { Interrupter } from "../../src/drivers/pty/interrupter.ts";
import { MovedTimers } from "./moved-timers.ts";

function setUp(state: { busy: boolean }) {
  const timers = new MovedTimers();
  const pressed: string[] = [];
  const interrupter = new Interrupter({
    press: () => void pressed.push("escape"),
    isBusy: () => state.busy,
    timers,
  });
  return { timers, pressed, interrupter };
}

describe("interrupting a turn in the terminal", () => {
  test("[PT10] presses the key again while the turn goes on, and no more when it is over", () => {
    const state = { busy: true };
    const { timers, pressed, interrupter } = setUp(state);
    interrupter.interrupt();
    expect(pressed).toHaveLength(1);
    timers.pass(2000);
    expect(pressed).toHaveLength(3);
    interrupter.stop(); // the turn is over
    timers.pass(10_000);
    expect(pressed).toHaveLength(3);
  });

  test("[PT10] presses it once in an idle session, and not for ever in one that stays busy", () => {
    const state = { busy: false };
    const { timers, pressed, interrupter } = setUp(state);
    interrupter.interrupt();
    timers.pass(10_000);
    expect(pressed).toHaveLength(1);
    state.busy = true;
    interrupter.interrupt();
    timers.pass(600_000);
    expect(pressed).toHaveLength(21);
  });
});
