#!/usr/bin/env bun
// An agent of one's own: it asks whether it may look, and says what is in its folder.
import { readdirSync } from "node:fs";
import { type AgentFactory, runAgent } from "@signalbox/agent";

const makeLister: AgentFactory = ({ folder, host }) => ({
  async turn({ sayInit, say, signal }) {
    await sayInit();
    const call = { tool_name: "List", input: { folder }, tool_use_id: crypto.randomUUID() };
    const answer = await host.askPermission(call, signal);
    const text = answer.behavior === "allow" ? readdirSync(folder).join("\n") : answer.message;
    const content = [{ type: "text", text }];
    const message = { id: crypto.randomUUID(), role: "assistant", model: "none", content };
    say({ type: "assistant", parent_tool_use_id: null, message });
    return { subtype: "success", is_error: false, num_turns: 1, result: text };
  },
});

await runAgent(makeLister);
