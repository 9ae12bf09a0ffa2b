import type { ApiBlock } from "../model/conversation.ts";
import { isMediaTooLarge, isOverloaded, isTooLong, ModelFailure } from "../model/failure.ts";
import { spokenName } from "../model/models.ts";
import { getFallback, getMaxOutputTokens, streamAnswer } from "./answer.ts";
import { batchHooks } from "./batch-hooks.ts";
import { compact, isNearlyFull } from "./compact.ts";
import {
  abortConversation,
  type ConversationEnd,
  failConversation,
  INTERRUPTED,
  sayInterrupted,
} from "./conversation-end.ts";
import { Executor } from "./executor.ts";
import { tellFolder } from "./folder-note.ts";
import { refusedEnd, sayRefusal } from "./refusal.ts";
import { takeSteering } from "./steering.ts";
import { askStop, stopHooks } from "./stop-hooks.ts";
import type { Thread } from "./thread.ts";
import { completeToolUse, reportToolUse } from "./tool-use.ts";

const RESUMES = 3;
const STRUCTURED_RETRIES = 5;

/** Alternates between the model and its tools until nothing is left to do. */
export function runConversation(thread: Thread, maxBudgetUsd?: number): Promise<ConversationEnd> {
  return new ConversationLoop(thread, maxBudgetUsd).run();
}

type Step = ConversationEnd | "continue";
type Streamed = Awaited<ReturnType<typeof streamAnswer>>;
type Answer = Exclude<Streamed, { kind: "failed" }>["answer"];

class ConversationLoop {
  readonly #thread: Thread;
  readonly #maxBudgetUsd: number | undefined;
  /** The number of invalid structured outputs before this turn. */
  readonly #failedOutputsBefore: number;
  #round = 0;
  /** How often the model was asked to continue an answer that was cut. */
  #resumed = 0;
  #refusals = 0;
  #emptyAnswers = 0;
  #outputReminders = 0;
  #isStopHookActive = false;
  #isStopHookReported = false;
  #stopHookBlocks = 0;
  #isCompacted = false;
  #stopReason: string | null = null;
  #text = "";

  constructor(thread: Thread, maxBudgetUsd: number | undefined) {
    this.#thread = thread;
    this.#maxBudgetUsd = maxBudgetUsd;
    this.#failedOutputsBefore = failedStructured(thread).length;
  }

  async run(): Promise<ConversationEnd> {
    for (;;) {
      this.#round++;
      const step = await this.#runRound();
      if (step !== "continue") return step;
    }
  }

  async #runRound(): Promise<Step> {
    const thread = this.#thread;
    if (this.#isOverBudget()) return this.#end("budget_exhausted");
    sayRequesting(thread);
    if (isNearlyFull(thread) && !thread.agent) await compact(thread, "auto");
    tellFolder(thread);
    const executor = new Executor(thread, this.#maxBudgetUsd !== undefined);
    const streamed = await streamAnswer(
      thread,
      (block) => completeToolUse(thread, block),
      (block) => {
        if (thread.agent?.inBackground) reportToolUse(thread, block);
        return executor.add(block);
      },
    );
    if (streamed.kind === "failed") return this.#onFailure(streamed.failure);
    const { answer } = streamed;
    this.#stopReason = answer.stopReason;
    if (streamed.kind === "aborted" || thread.signal.aborted) {
      const isBegun = this.#round > 1 || answer.blocks.length > 0;
      const answerText = isBegun ? lastText(answer.blocks) : undefined;
      const end = await abortConversation(thread, executor, answerText);
      if (streamed.kind === "aborted") streamed.close();
      return end;
    }
    this.#text = lastText(answer.blocks) || this.#text;
    if (streamed.kind === "cut" && this.#resumed++ < RESUMES) {
      await executor.finish();
      sayToModel(thread, CUT);
      return "continue";
    }
    if (this.#isOverBudget()) {
      thread.usage.withoutLast();
      const stopReason = executor.lastReadsAtOnce ? null : this.#stopReason;
      return { reason: "budget_exhausted", text: this.#text, stopReason };
    }
    if (executor.count > 0) return this.#onToolCalls(executor, answer);
    return (await this.#onUnfinished(answer)) ?? this.#askStopHooks(executor);
  }

  #isOverBudget(): boolean {
    const { costUsd, costBefore } = this.#thread.session.ledger;
    return this.#maxBudgetUsd !== undefined && costUsd - costBefore >= this.#maxBudgetUsd;
  }

  #end(reason: ConversationEnd["reason"]): ConversationEnd {
    return { reason, text: this.#text, stopReason: this.#stopReason };
  }

  /**
   * Handles a failure: a shorter conversation or another model may help, otherwise the turn fails.
   */
  async #onFailure(failure: ModelFailure): Promise<Step> {
    const thread = this.#thread;
    const isMedia = isMediaTooLarge(failure);
    const mayHelp = (isMedia || isTooLong(failure)) && thread.entries.length > 2;
    if (mayHelp && !this.#isCompacted && !thread.agent) {
      this.#isCompacted = true;
      if ("hooks" in (await compact(thread, "auto", { minAnswers: isMedia ? 2 : 1 }))) {
        return "continue";
      }
    }
    if (fallBack(thread, failure)) return "continue";
    return failConversation(thread, failure, this.#isCompacted);
  }

  async #onToolCalls(executor: Executor, answer: Answer): Promise<Step> {
    const thread = this.#thread;
    await executor.finish();
    if (thread.signal.aborted || executor.stopped === "person") {
      return abortConversation(thread, executor, this.#text);
    }
    const { deferred, structuredOutput } = executor;
    if (deferred) {
      // Nobody could continue a subagent later.
      if (thread.agent) return this.#end("hook_stopped");
      return { reason: "tool_deferred", text: "", stopReason: "tool_deferred", deferred };
    }
    const isStopped = executor.stopped !== undefined || (await batchHooks(thread, executor));
    if (thread.signal.aborted) return abortConversation(thread, executor, this.#text, INTERRUPTED);
    if (structuredOutput) {
      // The turn has ended, whatever the hooks say.
      await askStop(thread, lastText(answer.blocks) || undefined);
      const text = JSON.stringify(structuredOutput.value);
      return { reason: "completed", text, stopReason: this.#stopReason, structuredOutput };
    }
    if (isStopped) return this.#end("hook_stopped");
    const failedOutputs = failedStructured(thread);
    if (failedOutputs.length - this.#failedOutputsBefore >= STRUCTURED_RETRIES) {
      thread.usage.withoutLast();
      const text = failedOutputs.at(-1) ?? "";
      return { reason: "structured_output_retries", text, stopReason: this.#stopReason };
    }
    if (thread.maxTurns !== undefined && this.#round >= thread.maxTurns) {
      return this.#end("max_turns");
    }
    this.#resumed = 0;
    takeSteering(thread);
    return "continue";
  }

  /** Handles an incomplete answer. Undefined if there is nothing to continue. */
  async #onUnfinished(answer: Answer): Promise<Step | undefined> {
    const thread = this.#thread;
    const { session } = thread;
    if (answer.stopReason === "max_tokens") {
      if (this.#resumed++ >= RESUMES) {
        const limit = getMaxOutputTokens(session, thread.model());
        return failConversation(thread, ModelFailure.overLimit(limit));
      }
      sayToModel(thread, TOO_LONG);
      return "continue";
    }
    if (answer.stopReason === "refusal") {
      session.safetyStops++;
      if (this.#refusals++ < 1) {
        sayRefusal(thread, answer.id);
        return "continue";
      }
      if (!thread.agent) return refusedEnd(thread, answer);
    }
    if (isSilent(answer.blocks) && this.#emptyAnswers++ < 1) {
      sayToModel(thread, SILENT);
      return "continue";
    }
    const needsOutput = thread.agent ? thread.agent.judges : session.jsonSchema;
    if (needsOutput && this.#outputReminders++ < 1) {
      sayToModel(thread, ENFORCE);
      return "continue";
    }
    return undefined;
  }

  async #askStopHooks(executor: Executor): Promise<Step> {
    const thread = this.#thread;
    const stopVerdict = await stopHooks(thread, this.#text, {
      isActive: this.#isStopHookActive,
      isTold: this.#isStopHookReported,
      blocks: this.#stopHookBlocks,
    });
    if (stopVerdict.isInterrupted) sayInterrupted(thread, INTERRUPTED);
    else if (thread.signal.aborted && !stopVerdict.ends) {
      return abortConversation(thread, executor, this.#text);
    }
    if (stopVerdict.ends)
      return { reason: stopVerdict.ends, text: stopVerdict.text, stopReason: this.#stopReason };
    this.#isStopHookActive = true;
    this.#isStopHookReported ||= stopVerdict.isTold;
    this.#stopHookBlocks = stopVerdict.blocks;
    return "continue";
  }
}

/** Switches to `--fallback-model` for the rest of the turn if the model is overloaded. */
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

/** Returns the last text of an answer, which is the result of a turn. */
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

/** Counts the errors about structured outputs in the conversation. */
function failedStructured({ entries, session }: Thread): string[] {
  if (!session.jsonSchema) return [];
  return entries
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "tool_result" ? [String(block["content"])] : []))
    .filter((errorText) => errorText.startsWith("Output does not match required schema"));
}
