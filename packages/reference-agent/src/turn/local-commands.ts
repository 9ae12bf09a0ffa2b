import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn, TurnResult } from "@signalbox/agent";
import { answers } from "../commands/answers.ts";
import { forScreens, sameAs } from "../commands/built-in.ts";
import { screenAnswers } from "../commands/screen-answers.ts";
import { contextUsage } from "./context-usage.ts";
import { TurnUsage } from "../model/usage.ts";
import type { Session } from "../session.ts";
import { startOver } from "./clear.ts";
import { compact } from "./compact.ts";
import { contextFacts, contextText } from "./context-text.ts";
import { syntheticAnswer } from "./synthetic.ts";
import type { Thread } from "./thread.ts";

interface Command {
  readonly name: string;
  readonly args: string;
}

/** Runs a command that needs no model; `undefined` for other commands. */
export async function runLocalCommand(
  turn: Turn,
  thread: Thread,
  { name: called, args }: Command,
): Promise<JsonObject | undefined> {
  const { session } = thread;
  const name = sameAs[called] ?? called;
  if (OWN.has(name) || Object.hasOwn(answers, name)) turn.echoLate(getRecord({ name, args }));
  const done = await run(turn, thread, { name, args });
  if (done) return { local_command: called.replaceAll("-", "_"), ...done };
  const onScreen = session.context.options.print ? undefined : screenAnswers[name];
  if (onScreen) {
    await turn.sayInit();
    return sayLocally(turn, { name, args }, onScreen(session));
  }
  if (!forScreens.has(name)) return undefined;
  turn.echoLate(undefined);
  await turn.sayInit();
  return sayUnavailable(turn, called);
}

const OWN = new Set(["compact", "clear", "context", "rename"]);

/** Returns the record of the command, which hosts see instead of the prompt. */
function getRecord({ name, args }: Command): string {
  const parts = { name: `/${name}`, message: name, args };
  return Object.entries(parts)
    .map(([part, text]) => `<command-${part}>${text}</command-${part}>`)
    .join(`\n${" ".repeat(12)}`);
}

async function run(turn: Turn, thread: Thread, command: Command): Promise<JsonObject | undefined> {
  const { session } = thread;
  const { name, args } = command;
  switch (name) {
    case "compact":
      return compactWithInstructions(turn, thread, args);
    case "clear": {
      const ended = await startOver(turn, session, args);
      thread.tokensInWindow = 0;
      return ended;
    }
    case "context":
      await turn.sayInit();
      return sayContext(turn, session, command);
    case "rename":
      if (args !== "") turn.rename(args);
      await turn.sayInit();
      return sayLocally(turn, command, renameSession(session, args));
    default: {
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (!answer) return undefined;
      await turn.sayInit();
      return sayLocally(turn, command, await answer(session, args));
    }
  }
}

function renameSession({ conversation }: Session, title: string): string {
  if (title !== "") return `Session renamed to: ${title}`;
  const why = "Could not generate a name: no conversation context yet. ";
  return `${conversation.length === 0 ? why : ""}Usage: /rename <name>`;
}

async function compactWithInstructions(
  turn: Turn,
  thread: Thread,
  instructions: string,
): Promise<JsonObject> {
  const command = { name: "compact", args: instructions };
  if (thread.entries.length === 0 && !thread.session.ranLocally) {
    await turn.sayInit();
    sayLocalFailure(turn, command, "Error: No messages to compact");
    return { result: "" };
  }
  let saidInit = false;
  const done = await compact(thread, "manual", {
    ...(instructions === "" ? {} : { instructions }),
    beforeBoundary: async () => {
      saidInit = true;
      await turn.sayInit();
    },
  });
  if (!saidInit) await turn.sayInit();
  if ("why" in done) {
    if (done.kind === "canceled") return sayCanceled(turn, done.why);
    const tell = done.kind === "needless" ? sayLocally : sayLocalFailure;
    return tell(turn, command, done.why);
  }
  const compactText = `Compacted ${done.hooks.join("\n")}`;
  turn.say({
    type: "user",
    message: {
      role: "user",
      content: `<local-command-stdout>${compactText}</local-command-stdout>`,
    },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    isReplay: true,
  });
  return { result: "" };
}

function sayContext(turn: Turn, session: Session, command: Command): JsonObject {
  const usage = contextUsage(session);
  return sayLocally(turn, command, contextText(usage), {
    printed: "\n\n",
    more: { context_usage: contextFacts(usage) },
  });
}

/** `printed`: further output of the command that is not part of the answer. */
function sayLocally(
  turn: Turn,
  { name, args }: Command,
  text: string,
  { printed = "", more = {} }: { printed?: string; more?: JsonObject } = {},
): JsonObject {
  turn.say(
    syntheticAnswer(text, LOCAL, {
      local_command_source: `<local-command-stdout>${text}${printed}</local-command-stdout>`,
      local_command_run: { command: name, args },
      ...more,
    }),
  );
  return { result: text + printed };
}

function sayUnavailable(turn: Turn, name: string): JsonObject {
  const text = `/${name} isn't available in this environment.`;
  turn.say(
    syntheticAnswer(text, LOCAL, {
      local_command_source: `<local-command-stdout>${text}</local-command-stdout>`,
      local_command_outcome: { kind: "unavailable_headless" },
    }),
  );
  return { result: text };
}

/** Reports that the command was interrupted, which needs no result. */
function sayCanceled(turn: Turn, text: string): JsonObject {
  const local_command_source = `<local-command-stdout>${text}</local-command-stdout>`;
  turn.say(syntheticAnswer(text, LOCAL, { local_command_source }));
  return { result: "" };
}

/** Reports that only the model may call this skill. */
export function sayNotForPeople(turn: Turn, name: string): JsonObject {
  const text = `This skill can only be invoked by Claude, not directly by users. Ask Claude to use the "${name}" skill for you.`;
  turn.say(
    syntheticAnswer(text, LOCAL, {
      local_command_source: `<local-command-stdout>${text}</local-command-stdout>`,
    }),
  );
  return { local_command: "custom", result: text };
}

/** Reports that a command of the project could not be converted to a prompt. */
export function sayLocalFailure(turn: Turn, { name, args }: Command, text: string): JsonObject {
  turn.say(
    syntheticAnswer(text.trim(), LOCAL, {
      local_command_source: `<local-command-stderr>${text}</local-command-stderr>`,
      local_command_run: { command: name, args },
      local_command_outcome: { kind: "failed" },
    }),
  );
  return { result: text };
}

const LOCAL = { reason: "end_turn", sequence: null };

/** Ends a turn in which the model was not asked. */
export function localEnd(session: Session, more: JsonObject): TurnResult {
  const { ledger } = session;
  return {
    subtype: "success",
    is_error: false,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: ledger.costUsd,
    duration_api_ms: 0,
    usage: new TurnUsage().report(),
    modelUsage: ledger.byModel(),
    model_usage_since_last_result: ledger.sinceLastResult(),
    permission_denials: [],
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    subagent_stats: session.subagentStats.report(),
    safety_stops: session.safetyStops,
    ...more,
  };
}
