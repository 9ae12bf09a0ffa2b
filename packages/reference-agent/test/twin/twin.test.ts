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

setDefaultTimeout(600_000); // all stories are played by the first test that waits for one

const real = { name: "real", path: bundledAgent() ?? "" };
const ours = {
  name: "ours",
  path: new URL("../../bin/signalbox-agent.mjs", import.meta.url).pathname,
};
const AT_ONCE = 4;
const isWhole = process.env["SIGNALBOX_TEST_TWIN"] === "whole";
/** Part of the names of those that are played alone. */
const wanted = process.env["SIGNALBOX_TEST_STORY"];
const stories = all.filter(({ name }) =>
  wanted === undefined ? isWhole || !further.has(name) : name.includes(wanted),
);

type Play = () => Promise<unknown>;
const plays = new Map<string, Promise<unknown>>();

/** A few at a time: each is two processes, and most of their time is waiting. */
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

/** What is different and not allowed to be. */
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

test("what is left to the whole run stands among the stories", () => {
  const names = new Set(all.map(({ name }) => name));
  expect([...further].filter((name) => !names.has(name))).toEqual([]);
});

describe("what may differ", () => {
  test("[AG43] has a reason in the list, by number, and nothing else is on it", () => {
    const page = new URL("../../../../docs/spec/agent-differences.md", import.meta.url);
    const listed = [...readFileSync(page, "utf8").matchAll(/^\| (AD\d+) \|/gm)].map(([, id]) => id);
    expect(new Set(listed)).toEqual(new Set(allowed.map(({ id }) => id)));
    expect(listed.length).toBe(new Set(listed).size);
  });
});
