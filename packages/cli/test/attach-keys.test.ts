import { describe, expect, test } from "bun:test";
import {
  getKeyAction,
  type InputKind,
  getInputKind,
  type InputState,
} from "../src/attach/key-actions.ts";
import { hasPendingWork } from "../src/attach/pending-work.ts";

const rests: InputState = {
  isShown: true,
  isBusy: false,
  isStale: false,
  isAsking: false,
  isComposing: false,
  isInterrupted: false,
};
const works: InputState = { ...rests, isBusy: true };

const flags = Object.keys(rests) as (keyof InputState)[];
const scenes: InputState[] = Array.from({ length: 2 ** flags.length }, (_, bits) => {
  const facts = flags.map((flag, at) => [flag, (bits & (2 ** at)) !== 0]);
  return Object.fromEntries(facts);
});
const lines: InputKind[] = ["none", "prompt", "later"];

describe("the line for messages", () => {
  test("is the prompt only when the agent is known to wait for a message", () => {
    expect(getInputKind(rests)).toBe("prompt");
    for (const scene of scenes) {
      const { isShown: begun, isBusy: busy, isStale: stale, isAsking: asking } = scene;
      const ready = begun && !busy && !stale && !asking;
      expect([scene, getInputKind(scene) === "prompt"]).toEqual([scene, ready]);
    }
  });

  test("says that a message comes after this turn, to whoever writes while the agent works", () => {
    expect(getInputKind({ ...works, isComposing: true })).toBe("later");
    expect(getInputKind(works)).toBe("none");
  });

  test("gives way to an ask", () => {
    for (const scene of scenes) if (scene.isAsking) expect(getInputKind(scene)).toBe("none");
  });
});

describe("Enter", () => {
  const enter = (text: string) => ({ key: "enter", text }) as const;

  test("sends what stands in a line, and what stands in none is put into one", () => {
    for (const scene of scenes) {
      expect(getKeyAction(scene, "prompt", enter("hello"))).toBe("send");
      expect(getKeyAction(scene, "later", enter("hello"))).toBe("send");
      expect(getKeyAction(scene, "none", enter("hello"))).toBe("write");
      expect(getKeyAction(scene, "none", enter(""))).toBe("write");
    }
  });

  test("alone puts the line away", () => {
    expect(getKeyAction(works, "later", enter("  "))).toBe("cancel");
    expect(getKeyAction(rests, "prompt", enter(""))).toBe("cancel");
  });
});

describe("Ctrl-C", () => {
  const press = { key: "ctrl-c" } as const;

  test("leaves wherever the prompt is seen, whatever the hub tells at that moment", () => {
    for (const scene of scenes) expect(getKeyAction(scene, "prompt", press)).toBe("leave");
  });

  test("interrupts a turn once, and leaves when pressed again", () => {
    for (const line of ["none", "later"] as const) {
      expect(getKeyAction(works, line, press)).toBe("interrupt");
      expect(getKeyAction({ ...works, isAsking: true }, line, press)).toBe("interrupt");
      expect(getKeyAction({ ...works, isInterrupted: true }, line, press)).toBe("leave");
    }
  });

  test("leaves when nothing runs, also while it is not sure that nothing begins", () => {
    for (const scene of scenes) {
      if (scene.isBusy && scene.isShown) continue;
      for (const line of lines) expect(getKeyAction(scene, line, press)).toBe("leave");
    }
  });
});

test("under way are turns, starts, what waits for an answer, and messages that wait for the agent", () => {
  const glance = (part: object) =>
    ({ state: "running", openAsks: 0, queue: [], summary: { status: "idle" }, ...part }) as never;
  expect(hasPendingWork(glance({}))).toBe(false);
  expect(hasPendingWork(glance({ summary: { status: "active" } }))).toBe(true);
  expect(hasPendingWork(glance({ openAsks: 1 }))).toBe(true);
  expect(hasPendingWork(glance({ state: "starting" }))).toBe(true);
  expect(hasPendingWork(glance({ queue: [{}] }))).toBe(true);
  expect(hasPendingWork(glance({ state: "crashed", queue: [{}] }))).toBe(false); // until somebody goes on
  expect(hasPendingWork(glance({ state: "parked" }))).toBe(false);
});
