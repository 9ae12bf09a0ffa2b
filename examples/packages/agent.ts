// An agent that any host of Claude Code can drive. Try it: `npx bun agent.ts -p "Hello"`
import { type Agent, runAgent } from "@signalbox/agent";

const agent: Agent = {
  async turn({ prompts, sayInit, say }) {
    await sayInit();
    const result = `You sent ${prompts.length} message(s).`;
    const message = {
      id: `msg_${crypto.randomUUID()}`,
      role: "assistant",
      model: "none",
      content: [{ type: "text", text: result }],
    };
    say({ type: "assistant", parent_tool_use_id: null, message });
    return { subtype: "success", is_error: false, num_turns: 1, result };
  },
};

await runAgent(() => agent);
