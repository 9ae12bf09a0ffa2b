import { expect, test } from "bun:test";
import { createReduceState } from "../src/reduce/draft.ts";
import { reduce } from "../src/reduce/reduce.ts";
import { advance, createTimeline, type TimelineEvent } from "@signalbox/timeline";
import { recordings } from "@signalbox/testing/recordings";
import { logLine } from "./play.ts";

/** What the summary said, line by line, of a recording; the same twice in a row once. */
function told(story: string): string[] {
  const said: string[] = [];
  let state = createTimeline();
  for (const line of recordings().get(story) ?? []) {
    ({ state } = advance(state, logLine(line)));
    const { saying, retry } = state.reduce.summary;
    const now = retry ? `retry ${retry.status}` : (saying ?? "nothing");
    if (said.at(-1) !== now) said.push(now);
  }
  return said;
}

test("the summary says which block the model writes, as long as it is streamed", () => {
  const said = told("2.1.325/thinking-and-streaming.ndjson");
  expect(said.indexOf("thinking")).toBeGreaterThan(0);
  expect(said.indexOf("writing")).toBeGreaterThan(said.indexOf("thinking"));
  expect(said.at(-1)).toBe("nothing");
});

test("the summary says that the model is asked again, until it speaks", () => {
  const said = told("2.1.325/api-retry.ndjson");
  expect(said.slice(0, 2)).toEqual(["nothing", "retry 529"]);
  expect(said.slice(2)).not.toContain("retry 529");
});

test("a retry has the moment at which it comes; a subagent's words end it not", () => {
  const told = (before: ReturnType<typeof createReduceState>, event: TimelineEvent) =>
    reduce(before, event, 1000).state;
  const limited = told(createReduceState(), {
    type: "retry-scheduled",
    delayMs: 30_000,
    status: 429,
  });
  expect(limited.summary.retry).toEqual({ at: 31_000, status: 429 });
  const block = { messageId: "m", index: 0, block: "m/0", kind: "text" } as const;
  const beside = told(limited, { type: "block-started", lane: "t1", ...block });
  expect(beside.summary.retry).toBeDefined();
  const own = told(limited, { type: "block-started", lane: "main", ...block });
  expect(own.summary).toMatchObject({ saying: "writing" });
  expect(own.summary).not.toHaveProperty("retry");
});
