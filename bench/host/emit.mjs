// A program that speaks like an agent: answers `initialize`, and on a prompt says N stream events.
import { createInterface } from "node:readline";

const events = Number(process.env.EMIT_EVENTS ?? 200_000);
const say = (message) => `${JSON.stringify(message)}\n`;
const session_id = "5f1c3f0e-0000-4000-8000-000000000000";

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

/** Writes everything, waiting whenever the pipe is full. */
async function write(text) {
  if (!process.stdout.write(text)) await new Promise((done) => process.stdout.once("drain", done));
}

async function turn() {
  await write(
    say({ type: "system", subtype: "init", session_id, tools: [], model: "m", uuid: "u" }),
  );
  let batch = "";
  for (let i = 0; i < events; i++) {
    batch += say({
      type: "stream_event",
      event: {
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: `word${i} ` },
      },
      session_id,
      parent_tool_use_id: null,
      uuid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    });
    if (batch.length > 60_000) {
      await write(batch);
      batch = "";
    }
  }
  await write(batch);
  await write(
    say({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "done",
      session_id,
      total_cost_usd: 0,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1,
      usage: { input_tokens: 1, output_tokens: 1 },
      uuid: "r",
    }),
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const response = {
      subtype: "success",
      request_id: message.request_id,
      response: { commands: [] },
    };
    await write(say({ type: "control_response", response }));
  } else if (message.type === "user") {
    await turn();
  }
}
