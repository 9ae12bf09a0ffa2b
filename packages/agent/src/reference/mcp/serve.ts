import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, lineText, lines, parseObject } from "@signalbox/protocol/wire";
import type { Birth } from "../../agent.ts";
import { readArguments } from "../../command-line/read-arguments.ts";
import { readOptions } from "../../command-line/read-options.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { SPOKEN_VERSION } from "../../version.ts";
import { TurnUsage } from "../model/usage.ts";
import { openSession } from "../open-session.ts";
import { allTools } from "../tools/all.ts";
import { isRecord } from "../tools/schema.ts";
import { runCall } from "../turn/call.ts";
import { Thread } from "../turn/thread.ts";

/** Those that need a conversation around them are not offered. */
const offered = new Set(["Bash", "Read", "Write", "Edit", "Glob", "Grep", "NotebookEdit"]);

/** `mcp serve`: the agent's tools for another program, over stdio. Nobody can be asked there, so that
 * only what the rules allow is done; `--allowed-tools` and `--permission-mode` allow more. */
export async function serveTools(argv: readonly string[]): Promise<number> {
  let birth: Birth;
  try {
    birth = servantBirth(argv);
  } catch (failure) {
    if (!(failure instanceof UsageError)) throw failure;
    process.stderr.write(`${failure.message}\n`);
    return 1;
  }
  const session = openSession(birth);
  const tools = () => allTools(session).filter(({ name }) => offered.has(name));
  const answer = async (method: unknown, params: JsonObject): Promise<unknown> => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "signalbox-agent", version: SPOKEN_VERSION },
        };
      case "ping":
        return {};
      case "tools/list":
        return {
          tools: tools().map(({ name, description, input }) => ({
            name,
            description,
            inputSchema: input,
          })),
        };
      case "tools/call":
        return call(params);
      default:
        throw new Error(`Method not found: ${String(method)}`);
    }
  };
  const call = async (params: JsonObject): Promise<object> => {
    const thread = new Thread({
      session,
      signal: new AbortController().signal,
      entries: [],
      model: () => session.modelName,
      system: [],
      tools,
      usage: new TurnUsage(),
      say: () => "",
      record: () => {},
    });
    const input = isRecord(params["arguments"]) ? params["arguments"] : {};
    const use = { type: "tool_use", id: crypto.randomUUID(), name: params["name"], input };
    const { block } = await runCall(thread, use);
    const { content } = block;
    return {
      content: typeof content === "string" ? [{ type: "text", text: content }] : content,
      isError: block["is_error"] === true,
    };
  };
  const serve = async (text: string): Promise<void> => {
    const message = parseObject(text);
    if (typeof message === "string" || message["id"] === undefined) return;
    const { id, method, params } = message;
    const body = await answer(method, isRecord(params) ? params : {}).then(
      (result) => ({ result }),
      (failure: Error) => ({ error: { code: -32601, message: failure.message } }),
    );
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
  };
  const serving: Promise<void>[] = [];
  for await (const batch of lines(process.stdin)) {
    for (const line of batch) serving.push(serve(lineText(line)));
  }
  await Promise.all(serving);
  session.tasks.stopAll();
  return 0;
}

function servantBirth(argv: readonly string[]): Birth {
  const sessionId = crypto.randomUUID();
  const nobody = new Error("there is no host");
  return {
    options: readOptions(readArguments(["-p", "serve", ...argv]), true),
    // A call is all there is: nothing can be told of what outlives it.
    environment: { ...process.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    folder: process.cwd(),
    conversation: [],
    sessionId,
    subagentTranscript: (id) => ({ path: id, add() {}, close() {} }), // nobody sends one from here
    transcriptPath: join(tmpdir(), `signalbox-agent-${sessionId}`, "session.jsonl"),
    host: {
      asksPermission: false,
      askPermission: async () => ({ behavior: "deny", message: nobody.message }),
      hook: async () => ({}),
      mcpMessage: () => Promise.reject(nobody),
      ask: () => Promise.reject(nobody),
    },
    checkpoints: { beforeEdit: async () => {} },
    say: () => {},
    report: (sentence) => void process.stderr.write(`${sentence}\n`),
    wake: () => {},
  };
}
