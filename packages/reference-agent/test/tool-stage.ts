import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@signalbox/protocol";
import type {
  AgentContext,
  AgentOptions,
  OutgoingMessage,
  PermissionAnswer,
  PermissionRequest,
  Prompt,
} from "@signalbox/agent";
import { parseArguments, parseOptions } from "@signalbox/agent/command-line";
import { TurnUsage } from "../src/model/usage.ts";
import { openSession } from "../src/open-session.ts";
import { allTools } from "../src/turn/all-tools.ts";
import { runCall } from "../src/turn/call.ts";
import { Thread } from "../src/turn/thread.ts";

export interface ToolStageOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The host's answer; if it is missing, nobody is asked. */
  readonly answer?: (request: PermissionRequest) => PermissionAnswer;
}

/**
 * Opens a session of the reference agent in folders of its own, whose tools a test calls by name.
 */
export function openToolStage(stage: ToolStageOptions = {}) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-tools-")));
  const [home, folder] = [join(place, "home"), join(place, "work")];
  mkdirSync(home);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(stage.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const said: OutgoingMessage[] = [];
  const woken: Prompt[] = [];
  const asked: PermissionRequest[] = [];
  const edited: string[] = [];
  const reported: string[] = [];
  const options: AgentOptions = parseOptions(
    parseArguments(["-p", "x", ...(stage.args ?? [])]),
    true,
  );
  const context: AgentContext = {
    options,
    environment: {
      HOME: home,
      PATH: process.env["PATH"],
      CLAUDE_CODE_TMPDIR: join(place, "tmp"),
      ...stage.environment,
    },
    folder,
    conversation: [],
    sessionId: crypto.randomUUID(),
    transcriptPath: join(home, "session.jsonl"),
    subagentTranscript: (id) => ({ path: join(home, id), add() {}, close() {} }),
    host: {
      asksPermission: stage.answer !== undefined,
      askPermission: async (request, _signal, taken) => {
        asked.push(request);
        const nobody = { behavior: "deny", message: "Nobody is here." } as const;
        const answer = stage.answer?.(request) ?? nobody;
        taken?.(answer);
        return answer;
      },
      hook: async () => ({}),
      mcpMessage: async () => ({}),
      elicit: async () => ({ action: "cancel" }),
      ask: async () => ({}),
    },
    checkpoints: {
      beforeEdit: async (path) => {
        edited.push(path);
      },
    },
    say: (message) => said.push(message),
    report: (sentence) => void reported.push(sentence),
    storeCosts: () => {},
    requestTurn: (prompt) => woken.push(prompt),
  };
  const session = openSession(context);
  const controller = new AbortController();
  const thread = new Thread({
    session,
    signal: controller.signal,
    entries: [],
    model: () => session.modelName,
    system: [],
    tools: () => allTools(session),
    usage: new TurnUsage(),
    say: (message) => String(said.push(message)),
    record: () => {},
  });
  return {
    place,
    folder,
    session,
    thread,
    said,
    woken,
    reported,
    asked,
    edited,
    at: (name: string) => join(folder, name),
    interrupt: () => controller.abort(),
    /** Calls a tool as the model would. */
    async call(name: string, input: JsonObject) {
      const id = `toolu_${crypto.randomUUID()}`;
      const called = await runCall(thread, { type: "tool_use", id, name, input });
      const { block = { type: "none" }, more } = called;
      const { content } = block;
      return {
        called,
        text: typeof content === "string" ? content : JSON.stringify(content),
        isError: block["is_error"] === true,
        structured: more["tool_use_result"] as JsonObject,
        meta: (more["tool_result_meta"] as JsonObject[] | undefined)?.[0],
      };
    },
    [Symbol.dispose]() {
      session.tasks.stopAll();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const allowAll = ({ input }: PermissionRequest): PermissionAnswer => ({
  behavior: "allow",
  updatedInput: input,
});
