import { isObject } from "@signalbox/protocol/wire";
import type { DeferredCall } from "@signalbox/agent";
import { shownFor } from "../hooks/display.ts";
import { type ApiBlock, apiMessages } from "../model/conversation.ts";
import { failureText, tooLongAlone } from "../model/failure-text.ts";
import {
  failureWord,
  apiErrorName,
  isOverloaded,
  isMediaTooLarge,
  isTooLong,
  ModelFailure,
} from "../model/failure.ts";
import { spokenName } from "../model/models.ts";
import { allTools } from "./all-tools.ts";
import { coerceInput } from "../tools/coerce-input.ts";
import { toolNamed } from "../tool-names.ts";
import type { Tool } from "../tool.ts";
import { getFallback, getMaxOutputTokens, streamAnswer } from "./answer.ts";
import { compact, isNearlyFull } from "./compact.ts";
import { batchHooks } from "./batch-hooks.ts";
import { Executor } from "./executor.ts";
import { refusedEnd, sayRefusal } from "./refusal.ts";
import { takeSteering } from "./steering.ts";
import { askStop, failureHooks, stopHooks } from "./stop-hooks.ts";
import { syntheticAnswer } from "./synthetic.ts";
import { answeredPrompts } from "./turn-reporter.ts";
import { tellFolder } from "./folder-note.ts";
import type { Thread } from "./thread.ts";

/** How a thread's turn ended. */
export interface ConversationEnd {
  readonly reason:
    | "completed"
    | "max_turns"
    | "budget_exhausted"
    | "aborted_streaming"
    | "aborted_tools"
    | "api_error"
    | "hook_stopped"
    | "stop_hook_prevented"
    | "structured_output_retries"
    | "tool_deferred"
    | "tool_deferred_unavailable";
  readonly text: string;
  readonly stopReason: string | null;
  readonly structuredOutput?: { readonly value: unknown };
  readonly failure?: ModelFailure;
  /** The call that a hook put off. */
  readonly deferred?: DeferredCall;
  /** It was stopped so that another prompt can go first, and had said something by then. */
  readonly madeWay?: boolean;
}

const RESUMES = 3;
const STRUCTURED_RETRIES = 5;

/** The model and its tools in turn, until there is nothing left to do. */
export async function runConversation(
  thread: Thread,
  maxBudgetUsd?: number,
): Promise<ConversationEnd> {
  const { session } = thread;
  const spent = () => session.ledger.costUsd - session.ledger.costBefore;
  const overBudget = () => maxBudgetUsd !== undefined && spent() >= maxBudgetUsd;
  const misfitsBefore = failedStructured(thread).length;
  let resumed = 0;
  let refused = 0;
  let silences = 0;
  let enforced = 0;
  let stopHookActive = false;
  let stopTold = false;
  let stopBlocks = 0;
  let shortened = false;
  let stopReason: string | null = null;
  let text = "";
  for (let round = 1; ; round++) {
    if (overBudget()) return { reason: "budget_exhausted", text, stopReason };
    sayRequesting(thread);
    if (isNearlyFull(thread) && !thread.agent) await compact(thread, "auto");
    tellFolder(thread);
    const executor = new Executor(thread, maxBudgetUsd !== undefined);
    const streamed = await streamAnswer(
      thread,
      (block) => completed(thread, block),
      (block) => {
        if (thread.agent?.inBackground) tellUse(thread, block);
        return executor.add(block);
      },
    );
    if (streamed.kind === "failed") {
      const { failure } = streamed;
      const isMedia = isMediaTooLarge(failure);
      const mayHelp = (isMedia || isTooLong(failure)) && thread.entries.length > 2;
      if (mayHelp && !shortened && !thread.agent) {
        shortened = true;
        if ("hooks" in (await compact(thread, "auto", { fewest: isMedia ? 2 : 1 }))) continue;
      }
      if (fallBack(thread, failure)) continue;
      return fail(thread, failure, shortened);
    }
    const { answer } = streamed;
    stopReason = answer.stopReason;
    if (streamed.kind === "aborted" || thread.signal.aborted) {
      const isBegun = round > 1 || answer.blocks.length > 0;
      const end = await abort(thread, executor, isBegun ? lastText(answer.blocks) : undefined);
      if (streamed.kind === "aborted") streamed.close();
      return end;
    }
    text = lastText(answer.blocks) || text;
    if (streamed.kind === "cut" && resumed++ < RESUMES) {
      await executor.finish();
      sayToModel(thread, CUT);
      continue;
    }
    if (overBudget()) {
      thread.usage.withoutLast();
      const isRead = executor.lastReadsAtOnce;
      return { reason: "budget_exhausted", text, stopReason: isRead ? null : stopReason };
    }
    if (executor.count > 0) {
      await executor.finish();
      if (thread.signal.aborted || executor.stopped === "person") {
        return abort(thread, executor, text);
      }
      const { deferred, structuredOutput } = executor;
      if (deferred) {
        // A subagent has nobody who would go on with it.
        if (thread.agent) return { reason: "hook_stopped", text, stopReason };
        return { reason: "tool_deferred", text: "", stopReason: "tool_deferred", deferred };
      }
      const isStopped = executor.stopped !== undefined || (await batchHooks(thread, executor));
      if (thread.signal.aborted) return abort(thread, executor, text, INTERRUPTED);
      if (structuredOutput) {
        await askStop(thread, lastText(answer.blocks) || undefined); // it has ended, whatever they say
        return {
          reason: "completed",
          text: JSON.stringify(structuredOutput.value),
          stopReason,
          structuredOutput,
        };
      }
      if (isStopped) return { reason: "hook_stopped", text, stopReason };
      const misfits = failedStructured(thread);
      if (misfits.length - misfitsBefore >= STRUCTURED_RETRIES) {
        thread.usage.withoutLast();
        return { reason: "structured_output_retries", text: misfits.at(-1) ?? "", stopReason };
      }
      if (thread.maxTurns !== undefined && round >= thread.maxTurns) {
        return { reason: "max_turns", text, stopReason };
      }
      resumed = 0;
      takeSteering(thread);
      continue;
    }
    if (answer.stopReason === "max_tokens") {
      if (resumed++ >= RESUMES) {
        return fail(thread, ModelFailure.overLimit(getMaxOutputTokens(session, thread.model())));
      }
      sayToModel(thread, TOO_LONG);
      continue;
    }
    if (answer.stopReason === "refusal") {
      session.safetyStops++;
      if (refused++ < 1) {
        sayRefusal(thread, answer.id);
        continue;
      }
      if (!thread.agent) return refusedEnd(thread, answer);
    }
    if (isSilent(answer.blocks) && silences++ < 1) {
      sayToModel(thread, SILENT);
      continue;
    }
    const needsOutput = thread.agent ? thread.agent.judges : session.jsonSchema;
    if (needsOutput && enforced++ < 1) {
      sayToModel(thread, ENFORCE);
      continue;
    }
    const said = await stopHooks(thread, text, {
      isActive: stopHookActive,
      isTold: stopTold,
      blocks: stopBlocks,
    });
    if (said.isInterrupted) sayInterrupted(thread, INTERRUPTED);
    else if (thread.signal.aborted && !said.ends) return abort(thread, executor, text);
    if (said.ends) return { reason: said.ends, text: said.text, stopReason };
    stopHookActive = true;
    stopTold ||= said.isTold;
    stopBlocks = said.blocks;
  }
}

/** `--fallback-model` takes over where the model is overloaded, for the rest of the turn. */
function fallBack(thread: Thread, failure: ModelFailure): boolean {
  const other = getFallback(thread);
  if (other === undefined || !isOverloaded(failure)) return false;
  const model = thread.model();
  thread.fallback = other;
  thread.say({
    type: "system",
    subtype: "model_fallback",
    trigger: "overloaded",
    original_model: model,
    fallback_model: other,
    content: `Switched to ${spokenName(other)} due to high demand for ${spokenName(model)}`,
  });
  return true;
}

/** What a turn comes to is the last thing that was said in it. */
function lastText(blocks: readonly ApiBlock[]): string {
  const last = blocks.findLast(({ type }) => type === "text");
  return typeof last?.["text"] === "string" ? last["text"] : "";
}

const isSilent = (blocks: readonly ApiBlock[]): boolean => lastText(blocks).trim() === "";

const CUT =
  "Your response above was cut off on its way. Go on exactly where it stops, without apology or recap; if none of it arrived, answer from the start.";
const TOO_LONG =
  "Output token limit hit. Go on exactly where it stops, without apology or recap, and do what is left in smaller pieces.";
const SILENT = "[The user sees nothing of your last answer. Go on, and say what they are to see.]";
const ENFORCE =
  "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.";

function sayRequesting(thread: Thread): void {
  if (thread.agent || !thread.session.context.options.partialMessages) return;
  const { promptUuids } = thread;
  const about = promptUuids.length > 0 ? { user_message_uuids: promptUuids } : {};
  thread.say({ type: "system", subtype: "status", status: "requesting", ...about });
}

function sayToModel(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent?.inBackground === false) thread.takeUser(content);
  else thread.sayUser(content, { isSynthetic: true });
}

/** Completes a call's input as its tool wants it, before anybody sees it. */
async function completed(thread: Thread, block: ApiBlock): Promise<ApiBlock> {
  if (block.type !== "tool_use" || !isObject(block["input"])) return block;
  const tool = getTool(thread, block);
  if (!thread.agent?.inBackground) tellUse(thread, block);
  if (!tool) return block;
  const input = coerceInput(tool.input, block["input"]);
  return { ...block, input: (await tool.complete?.(input, thread.session)) ?? input };
}

const getTool = (thread: Thread, block: ApiBlock): Tool | undefined =>
  toolNamed(thread.tools(), block["name"]);

/** A subagent's progress: before its call is told, or after it where the subagent is in the background. */
function tellUse(thread: Thread, block: ApiBlock): void {
  const name = String(block["name"]);
  const input = isObject(block["input"]) ? block["input"] : {};
  const isOffered = getTool(thread, block) !== undefined;
  const tool = toolNamed(allTools(thread.session), name);
  thread.onToolUse?.(name, { input, isOffered, doing: tool?.doing?.(input, thread.session) });
}

export const INTERRUPTED = "[Request interrupted by user]";

/** The end of a turn that was stopped. If a person did it, the conversation says so. */
async function abort(
  thread: Thread,
  executor: Executor,
  said: string | undefined,
  words = "[Request interrupted by user for tool use]",
): Promise<ConversationEnd> {
  if (executor.count > 0) {
    await executor.finish();
    const end = { reason: "aborted_tools", text: "", stopReason: "tool_use" } as const;
    if (thread.makesWay) return { ...end, madeWay: true };
    sayInterrupted(thread, words);
    return end;
  }
  const end = { reason: "aborted_streaming", text: said ?? "", stopReason: null } as const;
  if (thread.makesWay) return { ...end, madeWay: said !== undefined };
  sayInterrupted(thread, INTERRUPTED);
  return end;
}

/** Of a subagent that is waited for, the result of its call says it. */
function sayInterrupted(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent?.inBackground === false) thread.takeUser(content);
  else thread.sayUser(content);
}

/** What was said to the model of outputs that did not fit. */
function failedStructured({ entries, session }: Thread): string[] {
  if (!session.jsonSchema) return [];
  return entries
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "tool_result" ? [String(block["content"])] : []))
    .filter((said) => said.startsWith("Output does not match required schema"));
}

async function fail(
  thread: Thread,
  failure: ModelFailure,
  wasShortened = false,
): Promise<ConversationEnd> {
  const text = await sayFailure(thread, failure, wasShortened);
  void failureHooks(thread, failureWord(failure), text); // nobody waits for them
  return { reason: "api_error", text, stopReason: "stop_sequence", failure };
}

/** The model's failure as an answer of its own: hosts show it where an answer would stand. */
async function sayFailure(
  thread: Thread,
  failure: ModelFailure,
  wasShortened: boolean,
): Promise<string> {
  const text = getText(thread, failure, wasShortened);
  const { status, type, requestId } = failure;
  if (thread.agent && thread.agent.told !== "all") return text; // whoever sent it is told
  const stop = { reason: "stop_sequence", sequence: "" };
  const shown = await shownFor(thread, text);
  const uuid = thread.say(
    syntheticAnswer(shown ?? text, stop, {
      parent_tool_use_id: thread.agent?.toolUseId ?? null,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...answeredPrompts(thread),
      error: failureWord(failure),
      is_api_error_message: true,
      ...apiErrorName(failure),
      ...(failure.isOverLimit ? { api_error_params: { cut: "output_limit" } } : {}),
      ...(status === undefined ? {} : { api_error_status: status }),
      ...(type === undefined ? {} : { api_error_type: type }),
    }),
  );
  thread.entries.push({ role: "assistant", content: [], messageId: uuid, uuid });
  return text;
}

function getText(thread: Thread, failure: ModelFailure, wasShortened: boolean): string {
  const { entries, session } = thread;
  if (isTooLong(failure) && !wasShortened && !entries.some(({ role }) => role === "assistant")) {
    return tooLongAlone(failure, Math.ceil(JSON.stringify(apiMessages(entries)).length / 4));
  }
  const { ANTHROPIC_BASE_URL: gateway, CLAUDE_CODE_ENTRYPOINT: entrypoint } =
    session.context.environment;
  const byHand = entrypoint === "sdk-cli";
  return failureText(failure, { model: thread.model(), gateway, byHand });
}
