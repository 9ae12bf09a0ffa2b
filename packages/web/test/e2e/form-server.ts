import { stdout } from "node:process";

/** An MCP server on stdin and stdout whose one tool asks the person for details, and says what it got. */

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
  readonly result?: { readonly action?: string; readonly content?: unknown };
}

const FORM = "form";
let call: Message["id"];

function say(message: object): void {
  stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function onMessage({ id, method, params, result }: Message): void {
  switch (method) {
    case "initialize":
      return say({
        id,
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "charts", version: "1.0.0" },
        },
      });
    case "tools/list":
      return say({ id, result: { tools: [{ name: "draw", inputSchema: { type: "object" } }] } });
    case "tools/call":
      call = id;
      return say({ id: FORM, method: "elicitation/create", params: form });
    case undefined: {
      const text = `${result?.action}: ${JSON.stringify(result?.content)}`;
      return id === FORM
        ? say({ id: call, result: { content: [{ type: "text", text }] } })
        : undefined;
    }
    default:
      return id === undefined ? undefined : say({ id, result: {} });
  }
}

const form = {
  message: "What should the chart be?",
  requestedSchema: {
    type: "object",
    properties: {
      title: { type: "string", title: "Title" },
      kind: { type: "string", title: "Kind", enum: ["bar", "line"] },
    },
    required: ["title"],
  },
};

for await (const line of console) onMessage(JSON.parse(line) as Message);
