import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { bundledAgent } from "@signalbox/host/agents";
import { allowed, isAllowed } from "./allowed.ts";
import { differences } from "./differences.ts";
import { normalize } from "./normalize.ts";
import { playStory } from "./play.ts";
import { further } from "./stories/further.ts";
import { stories as all } from "./stories/index.ts";
import type { Story } from "./story.ts";

setDefaultTimeout(600_000); // All stories are played by the first test that waits for one.

const real = { name: "real", path: bundledAgent() ?? "" };
const ours = {
  name: "ours",
  path: new URL("../../bin/signalbox-agent.mjs", import.meta.url).pathname,
};
const AT_ONCE = 4;
const isWhole = process.env["SIGNALBOX_TEST_TWIN"] === "whole";
/** A part of the names of stories that are played alone. */
const wanted = process.env["SIGNALBOX_TEST_STORY"];
const stories = all.filter(({ name }) =>
  wanted === undefined ? isWhole || !further.has(name) : name.includes(wanted),
);

type Play = () => Promise<unknown>;
const plays = new Map<string, Promise<unknown>>();

/** Plays a few stories at a time: each needs two processes, which mostly wait. */
function playAll(): void {
  const waiting: Play[] = [];
  for (const story of stories) {
    let settle: (value: unknown) => void = () => {};
    plays.set(story.name, new Promise((resolve) => (settle = resolve)));
    waiting.push(async () => settle(await compared(story).catch((failure: unknown) => failure)));
  }
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  for (let at = 0; at < AT_ONCE; at++) void work();
}

/** Returns the differences that are not allowed. */
async function compared(story: Story): Promise<unknown[]> {
  const [one, other] = await Promise.all([real, ours].map((program) => playStory(story, program)));
  if (!one || !other) throw new Error("unreachable");
  return differences(normalize(one), normalize(other)).filter(
    (difference) => !isAllowed(difference),
  );
}

describe("[AG43] the official SDK cannot tell them apart:", () => {
  beforeAll(playAll);

  test.each(stories.map(({ name }) => name))("%s", async (name) => {
    expect(await plays.get(name)).toEqual([]);
  });
});

test("the stories that only the whole run plays exist", () => {
  const names = new Set(all.map(({ name }) => name));
  expect([...further].filter((name) => !names.has(name))).toEqual([]);
});

describe("an allowed difference", () => {
  test("[AG43] has a numbered reason in the list, and the list has no others", () => {
    const page = new URL("../../../../docs/spec/agent-differences.md", import.meta.url);
    const listed = [...readFileSync(page, "utf8").matchAll(/^\| (AD\d+) \|/gm)].map(([, id]) => id);
    expect(new Set(listed)).toEqual(new Set(allowed.map(({ id }) => id)));
    expect(listed.length).toBe(new Set(listed).size);
  });
});
