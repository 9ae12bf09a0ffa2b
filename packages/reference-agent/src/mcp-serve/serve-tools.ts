import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isObject,
  type JsonObject,
  readLines,
  lineText,
  parseObject,
} from "@signalbox/protocol/wire";
import { type AgentContext, CLAUDE_CODE_VERSION } from "@signalbox/agent";
import { type ParsedArguments, parseOptions } from "@signalbox/agent/command-line";
import { readDefinitions } from "../commands/definitions.ts";
import { openSession } from "../open-session.ts";
import { allTools } from "../turn/all-tools.ts";
import { callServed, UnknownTool } from "./served-call.ts";

/** Runs `mcp serve`, which offers the agent's tools to another program over stdio. */
export async function serveTools(given: ParsedArguments): Promise<number> {
  const session = openSession(createServeContext(given));
  await readDefinitions(session);
  const answer = async (method: unknown, params: JsonObject): Promise<unknown> => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "signalbox-agent", version: CLAUDE_CODE_VERSION },
        };
      case "ping":
        return {};
      case "tools/list":
        return {
          tools: allTools(session).map(({ name, description, input }) => ({
            name,
            description,
            inputSchema: input,
          })),
        };
      case "tools/call":
        return callServed(session, params);
      default:
        throw new Error("Method not found");
    }
  };
  const serve = async (text: string): Promise<void> => {
    const message = parseObject(text);
    if (typeof message === "string" || message["id"] === undefined) return;
    const { id, method, params } = message;
    const body = await answer(method, isObject(params) ? params : {}).then(
      (result) => ({ result }),
      (failure: Error) => ({
        error: {
          code: failure instanceof UnknownTool ? -32603 : -32601,
          message: failure.message,
        },
      }),
    );
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  };
  const serving: Promise<void>[] = [];
  for await (const batch of readLines(process.stdin)) {
    for (const line of batch) serving.push(serve(lineText(line)));
  }
  await Promise.all(serving);
  session.tasks.stopAll();
  return 0;
}

function createServeContext(given: ParsedArguments): AgentContext {
  const sessionId = crypto.randomUUID();
  const nobody = new Error("there is no host");
  return {
    options: parseOptions(given, false),
    environment: {
      ...process.env,
      // The caller waits for each result, so nothing moves to the background.
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    },
    folder: process.cwd(),
    conversation: [],
    sessionId,
    // Nothing is stored, because there is no session.
    subagentTranscript: (id) => ({ path: id, add() {}, close() {} }),
    transcriptPath: join(tmpdir(), `signalbox-agent-${sessionId}`, "session.jsonl"),
    host: {
      asksPermission: false,
      askPermission: async () => ({ behavior: "deny", message: nobody.message }),
      hook: async () => ({}),
      mcpMessage: () => Promise.reject(nobody),
      elicit: async () => ({ action: "cancel" }),
      ask: () => Promise.reject(nobody),
    },
    checkpoints: { beforeEdit: async () => {} },
    say: () => {},
    report: (sentence) => void process.stderr.write(`${sentence}\n`),
    storeCosts: () => {},
    requestTurn: () => {},
  };
}
