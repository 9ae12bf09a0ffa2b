// An MCP server for stories whose tools ask a person questions and report the answers.
import { createInterface } from "node:readline";

const schema = {
  type: "object",
  properties: {
    size: { type: "string", title: "Size", enum: ["small", "large"] },
    count: { type: "integer", description: "How many", minimum: 1 },
    gift: { type: "boolean", default: false },
  },
  required: ["size"],
};
const link = (elicitationId) => ({
  mode: "url",
  message: "Pay there",
  elicitationId,
  url: "https://shop.example/pay?n=1",
});
const questions = {
  form: { message: "What would you like?", requestedSchema: schema },
  named: {
    mode: "form",
    message: "May it be sent?",
    requestedSchema: { type: "object", properties: {} },
    _meta: {
      "anthropic/permissionDisplay": { title: "Send", displayName: "Post", description: "By mail" },
    },
  },
  url: link("pay-1"),
  nameless: { mode: "url", message: "Pay there", url: "https://shop.example/" },
  without: { message: "What?" },
};

const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const textOf = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
const waiting = new Map();
let offered;
const told = []; // These are notifications and answers.
let isPaid = false;

function call(name, id) {
  const reply = (value) => send({ id, result: textOf(value) });
  if (name === "offered") return reply(offered);
  if (name === "told") return reply(told);
  if (name === "consent" || name === "consent_in_vain") {
    if (isPaid) return reply("paid");
    isPaid = name === "consent";
    const data = { elicitations: [{ mode: "url" }, link("pay-2")] };
    return send({ id, error: { code: -32042, message: "Pay first", data } });
  }
  waiting.set(name, (answer) => {
    if (name === "url") {
      send({ method: "notifications/elicitation/complete", params: { elicitationId: "pay-1" } });
    }
    reply(answer);
  });
  send({ id: name, method: "elicitation/create", params: questions[name] });
}

const names = [...Object.keys(questions), "consent", "consent_in_vain", "offered", "told"];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined || method === "notifications/cancelled") {
    told.push(method ?? result ?? { refused: error.code });
  }
  if (method === "initialize") {
    offered = params.capabilities;
    const serverInfo = { name: "shop", version: "1.0.0" };
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    const tools = names.map((name) => ({
      name,
      inputSchema: { type: "object", properties: {} },
    }));
    send({ id, result: { tools } });
  } else if (method === "tools/call") call(params.name, id);
  else if (method === undefined) waiting.get(id)?.(result ?? { refused: error.code });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
});
