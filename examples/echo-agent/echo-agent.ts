#!/usr/bin/env bun
// An agent of one's own that any host of Claude Code can drive: it says what it was told.
import { type Agent, runAgent, type Turn } from "@signalbox/agent";

const echo: Agent = {
  async turn({ prompts, sayInit, say }: Turn) {
    await sayInit();
    const text = prompts.map(({ content }) => words(content)).join("\n");
    const content = [{ type: "text", text: `You said: ${text}` }];
    say({
      type: "assistant",
      parent_tool_use_id: null,
      message: { id: `msg_${crypto.randomUUID()}`, role: "assistant", model: "echo", content },
    });
    return { subtype: "success", is_error: false, num_turns: 1, result: `You said: ${text}` };
  },
};

function words(content: Turn["prompts"][number]["content"]): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((block) => (typeof block["text"] === "string" ? [block["text"]] : []))
    .join(" ");
}

await runAgent(() => echo);
