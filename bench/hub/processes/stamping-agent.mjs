#!/usr/bin/env node
// Speaks like an agent. On a prompt it says 500 messages, one every 10 ms, each with the moment it was written.
import { createInterface } from "node:readline";

const MESSAGES = 500;
const EVERY_MS = 10;
const session_id = "5f1c3f0e-0000-4000-8000-000000000000";
const say = (message) =>
  process.stdout.write(
    `${JSON.stringify({ ...message, session_id, uuid: crypto.randomUUID() })}\n`,
  );

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}

async function turn() {
  say({ type: "system", subtype: "init", tools: [], model: "m", permissionMode: "default" });
  for (let nth = 0; nth < MESSAGES; nth++) {
    const text = String(performance.timeOrigin + performance.now());
    const message = { id: `msg_${nth}`, role: "assistant", content: [{ type: "text", text }] };
    say({ type: "assistant", parent_tool_use_id: null, message });
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  say({ type: "result", subtype: "success", is_error: false, result: "" });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, request_id } = JSON.parse(line);
  if (type === "user") await turn();
  if (type !== "control_request") continue;
  const response = { subtype: "success", request_id, response: { commands: [] } };
  say({ type: "control_response", response });
}
