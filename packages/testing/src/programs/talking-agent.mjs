#!/usr/bin/env node
// Speaks as Claude Code does, and does what a prompt says: a JSON list of steps. Used where the agent's
// own mind does not matter and its speed does.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { appendFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const session_id = randomUUID();
const waiting = new Map();
const FILLER = Buffer.alloc(1024 * 1024, "x");
const ZEROS = Buffer.alloc(1024 * 1024);
if (process.argv.includes("--version")) console.log("2.1.325 (Claude Code)");
else listen();

function put(text) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (failure) {
      if (failure.code !== "EAGAIN") throw failure;
    }
  }
}
function say(message) {
  const line = JSON.stringify({ session_id, uuid: randomUUID(), ...message });
  if (process.env.RECORD) appendFileSync(process.env.RECORD, `${line}\n`);
  put(`${line}\n`);
}

function listen() {
  let turns = Promise.resolve();
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  input.on("line", (text) => {
    const message = JSON.parse(text);
    if (message.type === "control_request") {
      const { request_id, request } = message;
      const response = request.subtype === "initialize" ? { commands: [] } : {};
      put(
        `${JSON.stringify({ type: "control_response", response: { subtype: "success", request_id, response } })}\n`,
      );
    } else if (message.type === "control_response") {
      waiting.get(message.response.request_id)?.(message.response);
    } else if (message.type === "user") {
      turns = turns.then(() => turn(message));
    }
  });
  input.on("close", () => process.exit(0));
}

async function turn({ uuid, message }) {
  const { content } = message;
  const text = typeof content === "string" ? content : content.map((block) => block.text).join("");
  say({
    type: "system",
    subtype: "init",
    cwd: "/",
    tools: [],
    mcp_servers: [],
    model: "m",
    permissionMode: "default",
    slash_commands: [],
    apiKeySource: "none",
    output_style: "default",
  });
  say({ type: "user", message, uuid, isReplay: true, parent_tool_use_id: null });
  let steps = [];
  try {
    steps = JSON.parse(text);
  } catch {
    steps = [{ tell: `heard ${text.length}` }];
  }
  for (const step of steps) await carryOut(step);
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result: "",
    stop_reason: "end_turn",
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
  });
}

async function carryOut(step) {
  if (step.tell !== undefined) tell(step.tell);
  for (let n = 1; n <= (step.lines ?? 0); n++) {
    say({ type: "status", n, text: "x".repeat(step.size ?? 0) });
    if (step.everyMs) await sleep(step.everyMs);
  }
  if (step.stream) await stream(step.stream, step.everyMs);
  if (step.clock) {
    for (let n = 0; n < step.clock; n++) {
      tell(`at ${Date.now()}`);
      await sleep(step.everyMs);
    }
  }
  if (step.texts) {
    const since = performance.now();
    for (let n = 1; n <= step.texts; n++) tell(`${n} ${"y".repeat(step.size ?? 0)}`);
    tell(`wrote for ${Math.ceil(performance.now() - since)} ms`);
  }
  if (step.pour) await pour(step);
  if (step.wait) await sleep(step.wait);
  if (step.raw !== undefined) put(Buffer.from(step.raw, "latin1"));
  await fill(step.filler ?? 0, FILLER);
  await fill(step.zeros ?? 0, ZEROS);
  if (step.again) for (let n = 0; n < step.again; n++) put(`${JSON.stringify(step.line)}\n`);
  if (step.ask) await ask(step.ask);
  if (step.spawn)
    spawn(step.spawn[0], step.spawn.slice(1), { detached: true, stdio: "ignore" }).unref();
  if (step.die) process.kill(process.pid, step.die);
}

/**
 * Texts at a pace, in MB a second, made beforehand but for their numbers: what is slow then is the reader.
 * Tells how long it had to wait for the pipe, and how long it took for itself.
 */
async function pour({ pour: count, after = 0, size, pace }) {
  const uuid = "00000000-0000-4000-8000-NNNNNNNNNNNN";
  const message = told(`NNNNNNNNNNNN ${"y".repeat(size)}`, "mNNNNNNNNNNNN");
  const line = JSON.stringify({ session_id, uuid, ...message });
  const places = [...line.matchAll(/N{12}/g)].map(({ index }) => index);
  const block = Buffer.from(`${line}\n`);
  let [waited, spent] = [0, 0];
  const since = performance.now();
  for (let n = 1; n <= count; n++) {
    const begun = performance.now();
    const digits = String(after + n).padStart(12, "0");
    for (const place of places) block.write(digits, place, "latin1");
    const made = performance.now();
    put(block);
    spent += made - begun;
    waited += performance.now() - made;
    const early = (n * block.length) / pace / 1000 - (performance.now() - since);
    if (early > 1) await sleep(early);
  }
  const ms = Math.ceil(performance.now() - since);
  tell(JSON.stringify({ ms, waitedMs: Math.round(waited), ownMs: Math.round(spent) }));
}

/** So many bytes of a kind, and never a line break. */
async function fill(count, block) {
  for (let left = count; left > 0; left -= block.length) {
    put(left < block.length ? block.subarray(0, left) : block);
    await sleep(0);
  }
}

function tell(text) {
  say(told(text, randomUUID()));
}

function told(text, id) {
  return {
    type: "assistant",
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
  };
}

async function stream(words, everyMs) {
  const id = randomUUID();
  const send = (event) => say({ type: "stream_event", event, parent_tool_use_id: null });
  send({
    type: "message_start",
    message: { id, type: "message", role: "assistant", model: "m", content: [], usage: {} },
  });
  send({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
  let text = "";
  for (let n = 1; n <= words; n++) {
    text += `w${n} `;
    send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `w${n} ` } });
    if (everyMs) await sleep(everyMs);
  }
  say({
    type: "assistant",
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
  });
  send({ type: "content_block_stop", index: 0 });
  send({ type: "message_stop" });
}

async function ask(command) {
  const request_id = randomUUID();
  const answered = new Promise((resolve) => waiting.set(request_id, resolve));
  const input = { command };
  put(
    `${JSON.stringify({ type: "control_request", request_id, request: { subtype: "can_use_tool", tool_name: "Bash", input, tool_use_id: randomUUID() } })}\n`,
  );
  const { response } = await answered;
  if (process.env.DECISIONS)
    appendFileSync(process.env.DECISIONS, `${command} ${response.behavior}\n`);
  say({ type: "status", text: `${command}: ${response.behavior}` });
}
