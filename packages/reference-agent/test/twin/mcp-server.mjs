// An MCP server for stories. The name of a tool tells how it answers.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (words) => ({ type: "text", text: words });

const answers = {
  // Returns the text that it is given, or its other arguments.
  echo: (_, { answer, ...rest }) => ({ content: [text(answer ?? JSON.stringify(rest))] }),
  go: () => ({ content: [text("It went.")] }),
  die: () => process.exit(3),
  // Asks the caller three things and returns the answers.
  ask(reply) {
    for (const method of ["ping", "roots/list", "tools/none"]) send({ id: method, method });
    afterwards = () => answered.size === 3 && reply({ content: [text(JSON.stringify(told()))] });
  },
  // Offers another tool, and waits until it was listed.
  grow(reply) {
    tools.push(toolNamed("go_on"));
    send({ method: "notifications/tools/list_changed" });
    afterwards = ({ method }) => method === "tools/list" && reply({ content: [text("It grew.")] });
  },
  go_on: () => ({ content: [text("It went on.")] }),
  wait: () => writeFileSync("begun", ""),
  fail: () => ({ isError: true, content: [text("It failed,"), text("twice.")] }),
  fail_silently: () => ({ isError: true, content: [] }),
  fail_at_length: () => ({ isError: true, content: [text("e".repeat(30_000))] }),
  nothing: () => ({ content: [] }),
  line: () => ({ content: [text("x".repeat(400_000))] }),
  lines: () => ({ content: [text("a line\n".repeat(20_000))] }),
  texts: () => ({ content: [text("a".repeat(60_000)), text("b".repeat(60_000))] }),
  much: () => ({ content: [text("y".repeat(60_000))] }),
  declared: () => ({ content: [text("z".repeat(120_000))] }),
  structure: () => ({ content: [text("one")], structuredContent: { n: 1 } }),
  large_structure: () => ({ content: [], structuredContent: { v: "s".repeat(150_000), n: [{}] } }),
  picture: () => ({
    content: [text("See:"), { type: "image", data: PIXEL, mimeType: "image/png" }],
  }),
  sound: () => ({ content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }] }),
  resource: () => ({ content: [{ type: "resource", resource: { uri: "a://b", text: "inside" } }] }),
  archive: () => ({
    content: [
      {
        type: "resource",
        resource: { uri: "a://z", mimeType: "application/zip", blob: "AAAA" },
      },
    ],
  }),
  link: () => ({
    content: [{ type: "resource_link", uri: "a://c", name: "c", description: "The c" }],
  }),
  marked: () => ({ content: [text("m")], _meta: { x: 1 } }),
  broken: () => ({ content: [{ type: "image", data: "!!", mimeType: "image/png" }] }),
};

const answered = new Map();
const told = () => [...answered].toSorted(([one], [other]) => one.localeCompare(other));
let afterwards = () => {};

const toolNamed = (name) => ({
  name,
  description: `Answers with: ${name}`,
  inputSchema: { type: "object", properties: {} },
  ...(name === "declared" && { _meta: { "anthropic/maxResultSizeChars": 200_000 } }),
});
const tools = Object.keys(answers)
  .filter((name) => name !== "go_on")
  .map(toolNamed);

const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** Returns the result; undefined if there is no answer, or it comes later. */
function resultOf({ method, params }, reply) {
  if (method === "initialize") {
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: "shop", version: "1.0.0" };
    return { protocolVersion: "2025-06-18", capabilities, serverInfo };
  }
  if (method === "tools/list") return { tools };
  return method === "tools/call" ? answers[params.name](reply, params.arguments) : {};
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, result, error } = message;
  const reply = (value) => send({ id, result: value });
  if (method === undefined) answered.set(id, result ?? error);
  else if (id !== undefined) {
    const value = resultOf(message, reply);
    if (value) reply(value);
  }
  afterwards(message);
});
