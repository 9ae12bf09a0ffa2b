// An MCP server for stories about prompts. The name of a prompt tells what it contains. Each page
// lists two.
import { createInterface } from "node:readline";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const text = (words, role = "user") => ({ role, content: { type: "text", text: words } });
const user = (content) => ({ role: "user", content });
const said = "\n::say It is done.";

const prompts = {
  greet: (given) => [text(`Greet ${JSON.stringify(given)}${said}`)],
  several: () => [text("One"), text("Two", "assistant"), text(`Three${said}`)],
  shown: () => [
    user({ type: "image", data: PIXEL, mimeType: "image/png" }),
    user({ type: "resource", resource: { uri: "a://b", text: "inside" } }),
    user({ type: "resource_link", uri: "a://c", name: "c" }),
    text(`All that${said}`),
  ],
  empty: () => [],
  "two words": () => [text(`Two words${said}`)],
  fail: () => undefined,
};
const inputs = { greet: [{ name: "whom", required: true }, { name: "how" }] };
const list = Object.keys(prompts).map((name) => ({
  name,
  ...(name === "greet" && { description: "Greets somebody" }),
  ...(inputs[name] && { arguments: inputs[name] }),
}));

function answer({ method, params }) {
  switch (method) {
    case "initialize": {
      const capabilities = { tools: {}, prompts: { listChanged: true } };
      const serverInfo = { name: "desk", version: "1.0.0" };
      return { result: { protocolVersion: "2025-06-18", capabilities, serverInfo } };
    }
    case "tools/list":
      return { result: { tools: [] } };
    case "prompts/list": {
      const at = Number(params?.cursor ?? 0);
      const isMore = at + 2 < list.length;
      const page = { prompts: list.slice(at, at + 2) };
      return { result: { ...page, ...(isMore && { nextCursor: String(at + 2) }) } };
    }
    case "prompts/get": {
      const messages = prompts[params.name](params.arguments);
      if (messages) return { result: { messages } };
      return { error: { code: -32_000, message: "Not today" } };
    }
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) }));
});
