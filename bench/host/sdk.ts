// The same for `query()` of the official SDK.
import { query, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { emitter, meter } from "./meter.ts";

const measured = meter();
const over = Promise.withResolvers<void>();

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield {
    type: "user",
    message: { role: "user", content: "go" },
    parent_tool_use_id: null,
    session_id: "",
  };
  await over.promise; // the input stays open, as a host's does
}

const messages = query({
  prompt: prompts(),
  options: {
    cwd: import.meta.dir,
    pathToClaudeCodeExecutable: emitter,
    executable: "node",
    includePartialMessages: true,
    env: { PATH: process.env["PATH"], EMIT_EVENTS: process.env["EMIT_EVENTS"] },
  },
});
for await (const message of messages) {
  measured.see(message);
  if (measured.done) break;
}
over.resolve();
measured.print();
