import { expect, test } from "bun:test";
import { TerminalActivity } from "../../src/drivers/pty/terminal-activity.ts";
import { MovedTimers } from "./moved-timers.ts";

const setUp = () => {
  const timers = new MovedTimers();
  const seen: string[] = [];
  const activity = new TerminalActivity({
    timers,
    onChange: ({ state, source }) => seen.push(`${state} (${source})`),
  });
  return { timers, seen, activity };
};

test("[PT9] from the screen alone: active while output arrives, idle after two seconds without", () => {
  const { timers, seen, activity } = setUp();
  activity.onOutput();
  timers.pass(1999);
  activity.onOutput();
  timers.pass(1999);
  expect(seen).toEqual(["active (screen)"]);
  timers.pass(1);
  expect(seen).toEqual(["active (screen)", "idle (screen)"]);
  activity.onScreen({ isAsking: true });
  activity.onScreen({ isAsking: false });
  expect(seen.slice(2)).toEqual(["asking (screen)", "idle (screen)"]);
});

test("[PT9] hooks count before the transcript, and the transcript before the screen", () => {
  const { timers, seen, activity } = setUp();
  activity.onTurn(true, "transcript");
  activity.onOutput();
  timers.pass(5000);
  activity.onTurn(false, "transcript");
  activity.onTurn(true, "hooks");
  activity.onRequests(1);
  activity.onRequests(0);
  activity.onTurn(false, "hooks");
  expect(seen).toEqual([
    "active (transcript)",
    "idle (transcript)",
    "active (hooks)",
    "asking (hooks)",
    "active (hooks)",
    "idle (hooks)",
  ]);
});

test("[PT9] a dialog that no hook tells of is known from the screen", () => {
  const { seen, activity } = setUp();
  activity.onHook();
  activity.onScreen({ isAsking: true });
  expect(seen).toEqual(["idle (hooks)", "asking (screen)"]);
});
