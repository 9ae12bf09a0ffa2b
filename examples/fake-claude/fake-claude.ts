#!/usr/bin/env bun
// A Claude Code for tests of hosts: plays the story in the file that FAKE_STORY names, one step after
// the other, whatever it is asked. Every prompt goes on where the last turn ended (at `end`).
import { readFileSync } from "node:fs";
import { type Agent, type AgentContext, runAgent, type Turn } from "@signalbox/agent";

/** A step: what is said, asked, waited for, or how the turn or the whole program ends. */
type Step =
  | { say: string }
  | { tool: string; input: Record<string, unknown>; result: string }
  | { wait: number }
  | { end: string }
  | { exit: number };

function fakeClaude({ host, environment }: AgentContext): Agent {
  const story = JSON.parse(readFileSync(environment["FAKE_STORY"] ?? "", "utf8")) as Step[];
  return {
    async turn(turn) {
      await turn.sayInit();
      for (let step = story.shift(); step; step = story.shift()) {
        if ("end" in step) return success(step.end);
        if ("say" in step) assistant(turn, { type: "text", text: step.say });
        else if ("wait" in step) await new Promise((resolve) => setTimeout(resolve, step.wait));
        else if ("exit" in step) process.exit(step.exit);
        else await call(turn, host, step);
        if (turn.signal.aborted) return success("interrupted");
      }
      return success("The story is over.");
    },
  };
}

/** Calls a tool that does nothing: the host is asked, and the result is the story's, or its denial. */
async function call(turn: Turn, host: AgentContext["host"], step: Extract<Step, { tool: string }>) {
  const id = `toolu_${crypto.randomUUID()}`;
  const { tool: name, input } = step;
  assistant(turn, { type: "tool_use", id, name, input });
  const asked = { tool_name: name, input, tool_use_id: id };
  const answer = await host.askPermission(asked, turn.signal);
  const isError = answer.behavior === "deny";
  const content = isError ? answer.message : step.result;
  const block = { type: "tool_result", tool_use_id: id, content, is_error: isError };
  turn.say({
    type: "user",
    parent_tool_use_id: null,
    message: { role: "user", content: [block] },
  });
}

function assistant(turn: Turn, block: { type: string; [field: string]: unknown }): void {
  const message = { id: `msg_${crypto.randomUUID()}`, role: "assistant", model: "fake" };
  turn.say({
    type: "assistant",
    parent_tool_use_id: null,
    message: { ...message, content: [block] },
  });
}

const success = (result: string) =>
  ({ subtype: "success", is_error: false, num_turns: 1, result }) as const;

if (!process.env["FAKE_STORY"]) {
  console.error(
    "Set FAKE_STORY to the file with the story to play, such as story.json beside this one.",
  );
  process.exit(1);
}
await runAgent(fakeClaude);
