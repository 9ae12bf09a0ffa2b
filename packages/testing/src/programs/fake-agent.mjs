#!/usr/bin/env node
// Stands in for what the real program will not do on demand: misbehave. FAKE says how.
import { spawn } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const how = process.env.FAKE ?? "echo";
if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
} else {
  behave();
}

function say(message) {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

function answer({ request_id }, response = {}) {
  say({ type: "control_response", response: { subtype: "success", request_id, response } });
}

/** Calls back for every line of the host's. */
function listen(onMessage) {
  createInterface({ input: process.stdin }).on("line", (line) => onMessage(JSON.parse(line)));
}

function behave() {
  switch (how) {
    case "echo":
      process.stdin.pipe(process.stdout);
      break;
    case "dies at once":
      console.error("cannot go on: the flux capacitor is missing");
      process.exit(7);
      break;
    case "leaves cleanly":
      process.exit(0);
      break;
    case "never answers":
      setInterval(() => {}, 1000);
      break;
    case "answers twice":
      listen((message) => {
        if (message.request?.subtype !== "initialize") return;
        answer(message, { commands: [] });
        answer(message, { commands: [{ name: "second" }] });
        say({ type: "result", subtype: "success", result: "still here" });
      });
      break;
    case "prints garbage":
      listen((message) => {
        console.log("Warning: this is not JSON");
        writeSync(1, Buffer.from([0xff, 0xfe, 0x0a]));
        console.log("[1,2,3]");
        answer(message, { commands: [] });
        console.log('{"type":"assistant","message":7}');
        console.log('{"type":"from_the_future","x":1}');
        say({ type: "result", subtype: "success", result: "still here" });
      });
      break;
    case "only garbage":
      setInterval(() => console.log("lorem ipsum"), 5);
      break;
    case "deep JSON":
      listen((message) => {
        const deep = 1024 * 1024;
        writeSync(1, `{"type":"user","x":${"[".repeat(deep)}${"]".repeat(deep)}}\n`);
        answer(message, { commands: [] });
        say({ type: "result", subtype: "success", result: "still here" });
      });
      break;
    case "asks":
      // Puts each request of ASKS to the host and tells what it answered, in order.
      listen((message) => {
        if (message.request?.subtype === "initialize") answer(message, { commands: [] });
        if (message.type === "user") {
          for (const [i, request] of JSON.parse(process.env.ASKS).entries()) {
            if (request.fill) request.input = { x: "x".repeat(request.fill) };
            say({ type: "control_request", request_id: `q${i}`, request });
          }
        }
        if (message.type === "control_response") {
          say({ type: "status", text: JSON.stringify(message.response) });
        }
      });
      break;
    case "obeys":
      // A prompt is a JSON object that says what to do; requests are answered with what they said.
      listen((message) => {
        if (message.type === "control_request") answer(message, message.request);
        if (message.request?.subtype === "interrupt") say({ type: "result", subtype: "success" });
        if (message.type === "control_response") {
          say({ type: "status", text: JSON.stringify(message.response) });
        }
        if (message.type === "user") obey(JSON.parse(message.message.content));
      });
      break;
    case "closes its input":
      closeSync(0);
      setInterval(() => {}, 1000);
      break;
    case "closes its output":
      closeSync(1);
      setInterval(() => {}, 1000);
      break;
    case "ignores hooks":
      listen((message) => answer(message, { commands: [], hooks_applied: false }));
      break;
    case "answers once":
      listen((message) => {
        if (message.request?.subtype === "initialize") answer(message, { commands: [] });
      });
      break;
    case "rejects an option":
      console.error("error: unknown option '--effort=high'");
      process.exit(1);
      break;
    case "does not read":
      setInterval(() => {}, 1000);
      break;
    case "ignores TERM":
      process.on("SIGTERM", () => {});
      process.stdin.resume();
      setInterval(() => {}, 1000);
      say({ type: "status", text: "up" });
      break;
    case "ignores TERM and the end of its input":
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
      listen((message) => answer(message));
      break;
    case "ends at TERM alone":
      process.on("SIGTERM", () => {
        writeSync(2, "heard SIGTERM\n");
        process.exit(0);
      });
      setInterval(() => {}, 1000);
      say({ type: "status", text: "up" });
      break;
    case "daemonizes":
      spawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();
      spawn("sleep", ["1000"], { detached: true, stdio: "inherit" }).unref();
      say({ type: "status", text: "up" });
      process.stdin.resume();
      process.stdin.on("end", () => process.exit(0));
      break;
    case "floods stderr":
      for (let i = 0; i < 20_000; i++) writeSync(2, `${"e".repeat(99)}\n`);
      writeSync(2, "the last words\n");
      process.exit(3);
      break;
    case "shows its environment":
      say({ type: "status", text: JSON.stringify(process.env) });
      process.stdin.resume();
      break;
    case "a gigabyte without a newline": {
      const chunk = Buffer.alloc(1024 * 1024, "x");
      for (let i = 0; i < 1024; i++) writeFully(chunk);
      writeFully(Buffer.from("\n"));
      say({ type: "status", text: "next line" });
      break;
    }
    default:
      throw new Error(`no such behaviour: ${how}`);
  }
}

function obey({ say: line, count, size = 0, ask, withdraw, die, spawn: program }) {
  if (line !== undefined) writeFully(Buffer.from(`${line}\n`));
  for (let n = 1; n <= count; n++) {
    writeFully(Buffer.from(`${JSON.stringify({ type: "status", n, text: "x".repeat(size) })}\n`));
  }
  if (ask !== undefined) say({ type: "control_request", ...ask });
  if (withdraw !== undefined) say({ type: "control_cancel_request", request_id: withdraw });
  if (program !== undefined) spawn(program[0], program.slice(1), { stdio: "ignore" });
  if (die !== undefined) process.kill(process.pid, die);
}

/** stdout is a pipe that may be full: writes until all is taken. */
function writeFully(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (failure) {
      if (failure.code !== "EAGAIN") throw failure;
    }
  }
}
