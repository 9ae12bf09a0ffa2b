import { expect, test } from "bun:test";
import { findAskingSubagent } from "@signalbox/timeline/state";
import { recordings } from "@signalbox/testing/recordings";
import { play, type Said, system, toolResult, toolUse } from "./play.ts";

/** Who was behind each ask of a recording that names an agent. */
function askers(story: string) {
  const said = recordings().get(`${story}.ndjson`) ?? [];
  return said.flatMap(({ text }, at) => {
    const { request } = JSON.parse(text) as { request?: Record<string, string> };
    if (request?.["subtype"] !== "can_use_tool" || request["agent_id"] === undefined) return [];
    const asked = { agentId: request["agent_id"], callId: request["tool_use_id"] };
    return [findAskingSubagent(play(said.slice(0, at)).state, asked)];
  });
}

test("[TL90] a subagent's ask is known by its kind and by what it is to do, in any recording", () => {
  const looker = { type: "general-purpose", description: "Look around" };
  expect(askers("2.1.325/subagent-foreground")).toEqual([looker]);
  expect(askers("2.1.325/subagents-background")).toEqual([looker]);
  expect(askers("2.1.7/subagent-foreground")).toEqual([looker]);
});

const task = { description: "Count", subagent_type: "Explore", prompt: "Count." };
const started = (taskId: string, more: object = {}) =>
  system("task_started", { task_id: taskId, tool_use_id: "t1", ...more });
const behind = (said: readonly Said[], agentId: string | undefined, callId?: string) =>
  findAskingSubagent(play(said).state, { agentId, callId });

test("[TL90] one of two is told from the other, and one that is woken keeps its name", () => {
  const said = [
    started("a1", { description: "Count", subagent_type: "Explore" }),
    started("a2", { tool_use_id: "t2", description: "Read", subagent_type: "Plan" }),
    started("a1", { tool_use_id: "t3", description: "More", subagent_type: "Explore" }),
  ];
  expect(behind(said, "a1")).toEqual({ type: "Explore", description: "Count" });
  expect(behind(said, "a2")).toEqual({ type: "Plan", description: "Read" });
  expect(behind(said, "a3")).toBeUndefined();
  expect(behind(said, undefined, "t1")).toBeUndefined(); // the agent itself asks
});

test("[TL90] in the background, too, where only the call and its result tell of it", () => {
  const inner = toolUse("t2", "Bash", {}, { parent_tool_use_id: "t1" });
  const launched = toolResult("t1", "Launched.", {
    tool_use_result: { isAsync: true, status: "async_launched", agentId: "a1" },
  });
  const call = toolUse("t1", "Task", { ...task, run_in_background: true });
  const named = { type: "Explore", description: "Count" };
  expect(behind([call, inner], "a1", "t2")).toEqual(named);
  expect(behind([call, launched, inner], "a1", "t2")).toEqual(named);
  expect(behind([inner], "a1", "t2")).toBeUndefined();
});

test("[TL90] of a name that goes on for pages the beginning is enough", () => {
  const said = [started("a1", { description: "x".repeat(100_000), subagent_type: "" })];
  expect(behind(said, "a1")).toEqual({ description: "x".repeat(200) });
});
