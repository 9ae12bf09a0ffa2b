import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn, TurnEnd } from "../../agent.ts";
import { contextUsage } from "../context-usage.ts";
import { type Ledger, TurnUsage } from "../model/usage.ts";
import type { Session } from "../session.ts";
import { compact } from "./compact.ts";
import { contextFacts, contextText } from "./context-text.ts";
import { syntheticAnswer } from "./synthetic.ts";
import type { Thread } from "./thread.ts";

/** A command that the agent does by itself; `undefined` for any other. */
export async function runLocalCommand(
  turn: Turn,
  thread: Thread,
  { name, args }: { name: string; args: string },
): Promise<JsonObject | undefined> {
  const { session } = thread;
  switch (name) {
    case "compact":
      return compactByWish(turn, thread, args);
    case "clear":
      await turn.sayInit();
      session.conversation.length = 0;
      thread.tokensInWindow = 0;
      return { result: "" };
    case "cost":
    case "usage":
      await turn.sayInit();
      return sayLocally(turn, "usage", costText(session));
    case "context":
      await turn.sayInit();
      return sayContext(turn, session);
    default:
      return undefined;
  }
}

async function compactByWish(turn: Turn, thread: Thread, wish: string): Promise<JsonObject> {
  if (thread.entries.length === 0 && !thread.session.ranLocally) {
    await turn.sayInit();
    return sayLocally(turn, "compact", "No messages to compact");
  }
  let saidInit = false;
  const done = await compact(thread, "manual", {
    ...(wish === "" ? {} : { wish }),
    beforeBoundary: async () => {
      saidInit = true;
      await turn.sayInit();
    },
  });
  if (!saidInit) await turn.sayInit();
  if ("why" in done) {
    if (!done.isFailure) return sayLocally(turn, "compact", done.why);
    return sayLocalFailure(turn, { name: "compact", args: wish }, done.why);
  }
  const hooks = done.ran.map((one) => `PreCompact [${one}] completed successfully`);
  const said = `Compacted ${hooks.join("\n")}`;
  turn.say({
    type: "user",
    message: { role: "user", content: `<local-command-stdout>${said}</local-command-stdout>` },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    isReplay: true,
  });
  return { result: "" };
}

function sayContext(turn: Turn, session: Session): JsonObject {
  const usage = contextUsage(session);
  return sayLocally(turn, "context", contextText(usage), {
    printed: "\n\n",
    more: { context_usage: contextFacts(usage) },
  });
}

/** `printed`: what the command prints after the text, which is no part of the answer. */
function sayLocally(
  turn: Turn,
  command: string,
  text: string,
  { printed = "", more = {} }: { printed?: string; more?: JsonObject } = {},
): JsonObject {
  turn.say(
    syntheticAnswer(text, LOCAL, {
      local_command_source: `<local-command-stdout>${text}${printed}</local-command-stdout>`,
      local_command_run: { command, args: "" },
      ...more,
    }),
  );
  return { result: text + printed };
}

/** A command of the project that could not be made into a prompt. */
export function sayLocalFailure(
  turn: Turn,
  { name, args }: { name: string; args: string },
  text: string,
): JsonObject {
  turn.say(
    syntheticAnswer(text, LOCAL, {
      local_command_source: `<local-command-stderr>${text}</local-command-stderr>`,
      local_command_run: { command: name, args },
      local_command_outcome: { kind: "failed" },
    }),
  );
  return { result: text };
}

const LOCAL = { reason: "end_turn", sequence: null };

export function costText({ ledger }: Session): string {
  const uses = Object.values(ledger.byModel());
  const sum = (pick: (use: (typeof uses)[number]) => number) =>
    uses.reduce((total, use) => total + pick(use), 0);
  return [
    `Total cost:            $${ledger.costUsd.toFixed(4)}`,
    `Total duration (API):  ${Math.round(ledger.apiMs / 1000)}s`,
    `Usage:                 ${sum((use) => use.inputTokens)} input, ${sum((use) => use.outputTokens)} output, ${sum((use) => use.cacheReadInputTokens)} cache read, ${sum((use) => use.cacheCreationInputTokens)} cache write`,
  ].join("\n");
}

/** The end of a turn in which the model was not asked. */
export function localEnd(
  session: Session,
  name: string,
  more: JsonObject,
  before: Ledger,
): TurnEnd {
  const { ledger } = session;
  return {
    subtype: "success",
    is_error: false,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: ledger.costUsd,
    duration_api_ms: ledger.apiMs,
    usage: new TurnUsage().report(),
    modelUsage: ledger.byModel(),
    model_usage_since_last_result: ledger.since(before),
    permission_denials: [],
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    subagent_stats: session.subagents.report(),
    safety_stops: 0,
    local_command: name,
    ...more,
  };
}
