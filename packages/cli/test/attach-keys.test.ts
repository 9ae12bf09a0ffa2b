import { describe, expect, test } from "bun:test";
import { deedOf, type Line, lineFor, type Scene } from "../src/attach/keys.ts";
import { isUnderWay } from "../src/attach/under-way.ts";

const rests: Scene = {
  begun: true,
  busy: false,
  stale: false,
  asking: false,
  writing: false,
  interrupted: false,
};
const works: Scene = { ...rests, busy: true };

const flags = Object.keys(rests) as (keyof Scene)[];
const scenes: Scene[] = Array.from({ length: 2 ** flags.length }, (_, bits) => {
  const facts = flags.map((flag, at) => [flag, (bits & (2 ** at)) !== 0]);
  return Object.fromEntries(facts);
});
const lines: Line[] = ["none", "prompt", "later"];

describe("the line for messages", () => {
  test("is the prompt only when the agent is known to wait for a message", () => {
    expect(lineFor(rests)).toBe("prompt");
    for (const scene of scenes) {
      const { begun, busy, stale, asking } = scene;
      const ready = begun && !busy && !stale && !asking;
      expect([scene, lineFor(scene) === "prompt"]).toEqual([scene, ready]);
    }
  });

  test("says that a message comes after this turn, to whoever writes while the agent works", () => {
    expect(lineFor({ ...works, writing: true })).toBe("later");
    expect(lineFor(works)).toBe("none");
  });

  test("gives way to an ask", () => {
    for (const scene of scenes) if (scene.asking) expect(lineFor(scene)).toBe("none");
  });
});

describe("Enter", () => {
  const enter = (text: string) => ({ key: "enter", text }) as const;

  test("sends what stands in a line, and what stands in none is put into one", () => {
    for (const scene of scenes) {
      expect(deedOf(scene, "prompt", enter("hello"))).toBe("send");
      expect(deedOf(scene, "later", enter("hello"))).toBe("send");
      expect(deedOf(scene, "none", enter("hello"))).toBe("write");
      expect(deedOf(scene, "none", enter(""))).toBe("write");
    }
  });

  test("alone puts the line away", () => {
    expect(deedOf(works, "later", enter("  "))).toBe("put-away");
    expect(deedOf(rests, "prompt", enter(""))).toBe("put-away");
  });
});

describe("Ctrl-C", () => {
  const press = { key: "ctrl-c" } as const;

  test("leaves wherever the prompt is seen, whatever the hub tells at that moment", () => {
    for (const scene of scenes) expect(deedOf(scene, "prompt", press)).toBe("leave");
  });

  test("interrupts a turn once, and leaves when pressed again", () => {
    for (const line of ["none", "later"] as const) {
      expect(deedOf(works, line, press)).toBe("interrupt");
      expect(deedOf({ ...works, asking: true }, line, press)).toBe("interrupt");
      expect(deedOf({ ...works, interrupted: true }, line, press)).toBe("leave");
    }
  });

  test("leaves when nothing runs, also while it is not sure that nothing begins", () => {
    for (const scene of scenes) {
      if (scene.busy && scene.begun) continue;
      for (const line of lines) expect(deedOf(scene, line, press)).toBe("leave");
    }
  });
});

test("under way are turns, starts, what waits for an answer, and messages that wait for the agent", () => {
  const glance = (part: object) =>
    ({ state: "running", openAsks: 0, queue: [], summary: { status: "idle" }, ...part }) as never;
  expect(isUnderWay(glance({}))).toBe(false);
  expect(isUnderWay(glance({ summary: { status: "active" } }))).toBe(true);
  expect(isUnderWay(glance({ openAsks: 1 }))).toBe(true);
  expect(isUnderWay(glance({ state: "starting" }))).toBe(true);
  expect(isUnderWay(glance({ queue: [{}] }))).toBe(true);
  expect(isUnderWay(glance({ state: "crashed", queue: [{}] }))).toBe(false); // until somebody goes on
  expect(isUnderWay(glance({ state: "parked" }))).toBe(false);
});
