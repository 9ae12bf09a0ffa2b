import type { JsonObject } from "@signalbox/protocol/wire";
import {
  hasHostUuid,
  type OutgoingMessage,
  type Prompt,
  type Turn,
  type TurnResult,
} from "@signalbox/agent";
import { applyOverrides, NO_OVERRIDES, clearOverrides } from "../commands/command-overrides.ts";
import { readSlash, type SlashCommand } from "../commands/commands.ts";
import { CommandFailure } from "../tools/embedded-commands.ts";
import { notACommand } from "../commands/not-a-command.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { calledPrompt, shownPrompt } from "../mcp/prompts.ts";
import { getOpening } from "../memory/tell.ts";
import { getBlocks } from "../model/conversation.ts";
import { apiErrorName, terminalReason } from "../model/failure.ts";
import { TurnUsage } from "../model/usage.ts";
import type { HookRun } from "../hooks/hooks.ts";
import { tellMet } from "../hooks/instructions.ts";
import type { Session } from "../session.ts";
import { mainTools } from "./all-tools.ts";
import { type ConversationEnd, INTERRUPTED } from "./conversation-end.ts";
import { runConversation } from "./conversation.ts";
import { makeDeferred } from "./deferred.ts";
import { expansionHooks, sayStopped, sayUnexpanded } from "./expansion-hooks.ts";
import { isResumePrompt } from "./resume-prompt.ts";
import { localEnd, runLocalCommand, sayLocalFailure, sayNotForPeople } from "./local-commands.ts";
import { mentionedFiles } from "./mentions.ts";
import { getPreface, systemPrompt } from "./system-prompt.ts";
import { callCommand, addPrompt } from "./add-prompt.ts";
import { Thread } from "./thread.ts";

/** Runs one turn of the main agent, from the prompts to the fields of its result. */
export async function runTurn(session: Session, turn: Turn): Promise<TurnResult> {
  const began = Date.now();
  session.denials.length = 0;
  const text = promptText(turn.prompt);
  const written = readSlash(text);
  const ofServer = calledPrompt(session.mcp.prompts, written);
  const slash =
    ofServer?.slash ?? (session.context.options.disableSlashCommands ? undefined : written);
  const command = slash && session.commands.find(({ name }) => name === slash.name);
  session.commandOverrides = NO_OVERRIDES;
  if (command) applyOverrides(session, command, "begins the turn");
  try {
    return await begin(turn, session, { text, slash, command, began });
  } finally {
    clearOverrides(session);
    session.commandOverrides = NO_OVERRIDES;
  }
}

async function begin(
  turn: Turn,
  session: Session,
  { command, ...asked }: Asked & { command: SlashCommand | undefined },
): Promise<TurnResult> {
  const { text, slash } = asked;
  const stop = new AbortController();
  // What it reads belongs to no prompt yet.
  const thread = await mainThread(session, turn, stop.signal);
  if (session.deferred && turn.prompts.some(isResumePrompt)) {
    const { deferred } = session;
    session.deferred = undefined;
    const ended = await makeDeferred(thread, deferred, () => stop.abort());
    if (ended) return getEnd(session, turn, thread, ended, asked);
  }
  session.promptId = crypto.randomUUID();
  if (command && !command.forPeople) {
    await turn.sayInit();
    return localEnd(session, sayNotForPeople(turn, command.name));
  }
  if (slash && !command) {
    const local = await runLocalCommand(turn, thread, slash);
    session.tokensInWindow = thread.tokensInWindow;
    session.ranLocally ||= local !== undefined;
    if (local) return localEnd(session, local);
  }
  if (typeof turn.prompt.content === "string" && text.trim() === "") {
    return blankEnd(session, turn);
  }
  return askModel(thread, turn, asked);
}

async function askModel(
  thread: Thread,
  turn: Turn,
  { text, slash, began }: Asked,
): Promise<TurnResult> {
  const { session } = thread;
  const isOwn = turn.prompts.every((one) => one.line["isMeta"] === true && !isResumePrompt(one));
  const remarks: OutgoingMessage[] = [];
  const about = {
    signal: turn.signal,
    say: (remark: OutgoingMessage) => void remarks.push(remark),
  };
  const hooked = isOwn ? undefined : await promptHooks(session, text, about);
  if (hooked) remarks.push(...getNotices("UserPromptSubmit", hooked));
  if (hooked?.title !== undefined) {
    turn.say({ type: "system", subtype: "session_title_changed", title: hooked.title });
  }
  const sayInit = async () => {
    await turn.sayInit();
    for (const remark of remarks) turn.say(remark);
  };
  if (turn.signal.aborted && hooked && session.hooks.has("UserPromptSubmit") && !thread.makesWay) {
    await sayInit();
    return uncheckedEnd(thread);
  }
  if (hooked?.blocked !== undefined || hooked?.stop !== undefined) {
    await sayInit();
    return hookedEnd(session, turn, { hooked, text });
  }
  const ofServer = calledPrompt(session.mcp.prompts, slash);
  const expanded = slash && (await expansionHooks(session, slash, text, about));
  if (expanded?.blocked !== undefined || expanded?.stop !== undefined) {
    await sayInit();
    const result = sayUnexpanded(turn, expanded, text);
    return localEnd(session, { local_command: ofServer ? "mcp" : "custom", result });
  }
  let called;
  try {
    called = slash && (await callCommand(session, slash, turn.signal));
  } catch (cause) {
    if (!(cause instanceof CommandFailure) || !slash) throw cause;
    await turn.sayInit();
    const name = ofServer ? shownPrompt(ofServer.prompt).name : slash.name;
    const failed = sayLocalFailure(turn, { ...slash, name }, cause.message);
    return localEnd(session, { local_command: ofServer ? "mcp" : "custom", ...failed });
  }
  addPrompt(session, turn, called);
  const files = isOwn ? [] : await mentionedFiles(called?.text ?? text, thread, turn.signal);
  tellMet(session, thread.memoryLoaded.splice(0), undefined);
  const added = [
    ...(hooked ? getRemarks("UserPromptSubmit", hooked) : []),
    ...(expanded ? getRemarks("UserPromptExpansion", expanded) : []),
  ];
  const unknown = slash && !called && !isOwn ? [notACommand(session, slash.name)] : [];
  for (const context of [...unknown, ...files, ...session.startContexts.splice(0), ...added])
    thread.whisper(context);
  await sayInit();
  const { origin, shouldQuery } = turn.prompt.line;
  if (shouldQuery === false) {
    return localEnd(session, { result: "", ...given({ origin }) });
  }
  const ended = await runConversation(thread, session.context.options.maxBudgetUsd);
  session.tokensInWindow = thread.tokensInWindow;
  return getEnd(session, turn, thread, ended, { began });
}

interface Asked {
  readonly text: string;
  readonly slash: { name: string; args: string } | undefined;
  readonly began: number;
}

async function mainThread(session: Session, turn: Turn, stop: AbortSignal): Promise<Thread> {
  const preface = await getPreface(session);
  session.preface = preface;
  return new Thread({
    session,
    signal: AbortSignal.any([turn.signal, stop]),
    interruption: AbortSignal.any([turn.interruption, stop]),
    entries: session.conversation,
    model: () => session.modelName,
    system: systemPrompt(preface),
    opening: getOpening(preface.memory),
    tools: () => mainTools(session),
    usage: new TurnUsage(),
    promptUuids: turn.prompts.filter(hasHostUuid).map(({ uuid }) => uuid),
    promptUuid: hasHostUuid(turn.prompt) ? turn.prompt.uuid : undefined,
    maxTurns: session.context.options.maxTurns,
    tokensInWindow: session.tokensInWindow,
    say: (message, kept) => turn.say(message, kept),
    record: (message) => turn.record(message),
    steering: () => turn.steering(),
  });
}

async function promptHooks(session: Session, prompt: string, about: HookRun): Promise<HookOutcome> {
  const outcome = await session.hooks.run("UserPromptSubmit", { prompt }, about);
  const { noVerdict } = outcome;
  if (noVerdict?.kind === "odd") throw new Error(noVerdict.why);
  if (noVerdict?.kind !== "late" || outcome.blocked !== undefined) return outcome;
  return {
    ...outcome,
    blocked: `UserPromptSubmit hook callback timed out after ${noVerdict.ms}ms`,
  };
}

/** Returns the text that hosts saw. */
const asShown = ({ shownText }: Thread, text: string): string =>
  shownText?.said === text ? shownText.shown : text;

function promptText({ content }: Prompt): string {
  return getBlocks(content)
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

async function blankEnd(session: Session, turn: Turn): Promise<TurnResult> {
  const result =
    "Blank prompt — the message was only whitespace, so nothing was sent to the model.";
  await turn.sayInit();
  turn.say({ type: "system", subtype: "informational", content: result, level: "warning" });
  return localEnd(session, { result });
}

/**
 * Ends a turn that was interrupted during hooks. What they might have objected to does not reach
 * the model.
 */
function uncheckedEnd(thread: Thread): TurnResult {
  thread.sayUser([{ type: "text", text: INTERRUPTED }]);
  const error = "prompt_check: the turn was stopped before its prompt was checked";
  const end = failed("error_during_execution", error, "aborted_streaming");
  return localEnd(thread.session, end);
}

/**
 * Ends a turn whose prompt was blocked by a hook. A hook that stops the turn leaves the prompt in
 * the conversation.
 */
function hookedEnd(
  session: Session,
  turn: Turn,
  { hooked, text: prompt }: { hooked: HookOutcome; text: string },
): TurnResult {
  const { blocked = "", inItsWords: reason = blocked, stop, noVerdict } = hooked;
  if (stop !== undefined) addPrompt(session, turn, undefined);
  const ending = noVerdict ? "" : `\n\nOriginal prompt: ${prompt}`;
  const text =
    stop === undefined
      ? `UserPromptSubmit operation blocked by hook:\n${blocked}${ending}`
      : `Operation stopped by hook: ${stop}`;
  const no_verdict_kind = noVerdict?.kind === "late" ? "callback_timed_out" : "hook_failed";
  const outcome = noVerdict
    ? { kind: "no_verdict", prompt_kept: false, no_verdict_kind }
    : { kind: "blocked_by_hook", prompt_kept: false, reason };
  sayStopped(turn, text, {
    prompt_submit_outcome:
      stop === undefined ? outcome : { kind: "stopped_by_hook", prompt_kept: true, reason: stop },
  });
  return localEnd(session, { result: text });
}

function getEnd(
  session: Session,
  turn: Turn,
  thread: Thread,
  ended: ConversationEnd,
  { began }: { began: number },
): TurnResult {
  const { ledger } = session;
  const { requestAt, firstEventAt, firstTextAt } = thread.timing;
  const origin = turn.prompt.line["origin"];
  const since = (at: number | undefined) => (at === undefined ? undefined : at - began);
  const result = outcome({ ...ended, text: asShown(thread, ended.text) }, session);
  const times =
    result.is_error || ended.deferred
      ? {}
      : given({
          ttft_ms: since(firstTextAt),
          ttft_stream_ms: since(firstEventAt),
          time_to_request_ms: since(requestAt),
          first_content_frame_ms: since(firstTextAt),
          ...(thread.promptUuids.length > 0 && {
            request_sent_wall_ms: requestAt,
            first_request_input_tokens: thread.firstTokens?.input,
            first_request_cache_read_input_tokens: thread.firstTokens?.cacheRead,
          }),
        });
  return {
    ...result,
    num_turns: 1 + thread.userMessages,
    stop_reason: ended.stopReason,
    total_cost_usd: ledger.costUsd,
    duration_api_ms: ledger.apiMs,
    usage: thread.usage.report(),
    modelUsage: ledger.byModel(),
    model_usage_since_last_result: ledger.sinceLastResult(),
    permission_denials: [...session.denials],
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    subagent_stats: session.subagentStats.report(),
    safety_stops: session.safetyStops,
    ...(origin === undefined ? {} : { origin }),
    ...times,
  };
}

type Outcome = Pick<
  TurnResult,
  "subtype" | "is_error" | "result" | "errors" | "terminal_reason" | "structured_output"
> &
  JsonObject;

function said({ text, reason, structuredOutput }: ConversationEnd): Outcome {
  return {
    subtype: "success",
    is_error: false,
    api_error_status: null,
    result: text,
    terminal_reason: reason,
    ...(structuredOutput ? { structured_output: structuredOutput.value } : {}),
  };
}

function failed(subtype: TurnResult["subtype"], error: string, terminal_reason: string): Outcome {
  return { subtype, is_error: true, errors: [error], terminal_reason };
}

function outcome(ended: ConversationEnd, session: Session): Outcome {
  const { options } = session.context;
  switch (ended.reason) {
    case "completed":
    case "hook_stopped":
    case "stop_hook_prevented":
      return said(ended);
    case "tool_deferred":
    case "tool_deferred_unavailable":
      return {
        subtype: "success",
        is_error: ended.reason !== "tool_deferred",
        result: ended.text,
        terminal_reason: ended.reason,
        deferred_tool_use: ended.deferred,
      };
    case "api_error":
      return {
        subtype: "success",
        is_error: true,
        api_error_status: ended.failure?.status ?? null,
        ...(ended.failure?.type === undefined ? {} : { api_error_type: ended.failure.type }),
        ...(ended.failure && apiErrorName(ended.failure)),
        result: ended.text,
        terminal_reason: terminalReason(ended.failure),
      };
    case "max_turns":
      return failed(
        "error_max_turns",
        `Reached maximum number of turns (${options.maxTurns})`,
        "max_turns",
      );
    case "budget_exhausted":
      return failed(
        "error_max_budget_usd",
        `Reached maximum budget ($${options.maxBudgetUsd})`,
        "budget_exhausted",
      );
    case "structured_output_retries":
      return failed(
        "error_max_structured_output_retries",
        `Failed to provide valid structured output after 5 attempts — last StructuredOutput error: ${ended.text}`,
        "structured_output_retry_exhausted",
      );
    case "aborted_streaming":
    case "aborted_tools": {
      if (ended.madeWay) return said(ended);
      const stop = ended.stopReason === null ? "null" : ended.stopReason;
      const error = `[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${stop}`;
      return failed("error_during_execution", error, ended.reason);
    }
    default:
      return ended.reason satisfies never;
  }
}

function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
