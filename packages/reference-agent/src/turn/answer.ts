import type { JsonObject } from "@signalbox/protocol/wire";
import { getDisplayText } from "../hooks/display.ts";
import { AnswerReader, type Answer } from "../model/answer.ts";
import type { StreamEvent } from "../model/ask.ts";
import { apiMessages, type ApiBlock } from "../model/conversation.ts";
import { getEffort } from "../model/effort.ts";
import { errorWord, getFailure, isSilent, ModelFailure } from "../model/failure.ts";
import { getFacts, resolveModel, unknownModelText } from "../model/models.ts";
import { type ModelRequest, thinkingFor, withCacheMarks } from "../model/request.ts";
import type { Retries, Retry } from "../model/retries.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";
import { getWindow } from "../model/usage.ts";
import { TurnReporter } from "./turn-reporter.ts";
import type { Thread, ThreadAgent } from "./thread.ts";

type Streamed =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** `close` ends the interrupted stream of events. */
  | { readonly kind: "aborted"; readonly answer: Answer; readonly close: () => void }
  /** The stream broke after blocks that are kept. `isThought`: there was only thinking. */
  | {
      readonly kind: "cut";
      readonly answer: Answer;
      readonly failure: ModelFailure;
      readonly isThought: boolean;
    }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** Sends one request to the model and reports the answer block by block. */
export async function streamAnswer(
  thread: Thread,
  onBlock: (block: ApiBlock) => Promise<ApiBlock> | ApiBlock,
  onCall: (block: ApiBlock) => Promise<void>,
): Promise<Streamed> {
  const { session, signal } = thread;
  const retries = session.model.retries(signal, (retry) => sayRetry(thread, retry));
  for (let thoughts = 0; ;) {
    const streamed = await streamOnce(thread, retries, onBlock, onCall);
    if (streamed.kind !== "cut") return streamed;
    if (streamed.isThought && thoughts++ < THOUGHTS_AGAIN) {
      forgetAnswer(thread, streamed.answer.id);
      continue;
    }
    if (streamed.answer.blocks.length > 0) return streamed;
    try {
      await retries.after(streamed.failure);
    } catch (cause) {
      if (signal.aborted) return { kind: "aborted", answer: streamed.answer, close: () => {} };
      return { kind: "failed", failure: getFailure(cause) };
    }
  }
}

/** How often an answer that broke off after thinking is requested again without a report. */
const THOUGHTS_AGAIN = 3;

/** Removes an answer before it is requested again, so that the model does not see it. */
function forgetAnswer({ entries }: Thread, messageId: string): void {
  while (entries.at(-1)?.messageId === messageId) entries.pop();
}

async function streamOnce(
  thread: Thread,
  retries: Retries,
  onBlock: (block: ApiBlock) => Promise<ApiBlock> | ApiBlock,
  onCall: (block: ApiBlock) => Promise<void>,
): Promise<Streamed> {
  const { session, signal } = thread;
  const model = thread.model();
  const reader = new AnswerReader();
  const reporter = new TurnReporter(thread, reader.answer);
  thread.answering = reader.answer;
  const began = Date.now();
  thread.timing.requestAt ??= began;
  let opened = false;
  try {
    const request = requestFor(thread, model);
    const { events, requestId } = await session.model.ask(request, { signal, retries });
    reader.answer.requestId = requestId;
    sayAnswered(thread);
    opened = true;
    for await (const event of withStreamFailures(events)) {
      if (signal.aborted && !isClosing(event)) break;
      reporter.before(event);
      const done = take(reader, event);
      if (done) {
        const block = await onBlock(done);
        reporter.block(block, {}, await getShown(thread, block));
        reporter.after(event);
        if (block.type === "tool_use") await onCall(block);
      } else reporter.after(event);
    }
    if (!signal.aborted && !reader.answer.complete) {
      throw new ModelFailure({ apiText: "the stream ended early", code: "ECONNRESET" });
    }
  } catch (cause) {
    if (!signal.aborted) {
      // This is our own error, which a retry does not fix.
      if (!(cause instanceof ModelFailure)) throw cause;
      const failure = cause;
      recordUsage(thread, model, reader.answer, began);
      if (!opened) return { kind: "failed", failure };
      reporter.forget(reader.isInBlock);
      const { blocks } = reader.answer;
      const isThought =
        !reader.isInBlock && blocks.length > 0 && blocks.every(({ type }) => type === "thinking");
      return { kind: "cut", answer: reader.answer, failure, isThought };
    }
  }
  if (!signal.aborted || reader.answer.complete) {
    recordUsage(thread, model, reader.answer, began);
    return { kind: "answer", answer: reader.answer };
  }
  if (reader.answer.id !== "") noteFirst(thread, reader.answer);
  const rest = reader.rest();
  if (rest) reporter.block(rest, { aborted: true });
  const close = () => reporter.abandon(rest !== undefined);
  return { kind: "aborted", answer: reader.answer, close };
}

/**
 * Whether the answer is already complete. An interrupt during its last call then does not shorten
 * it.
 */
const isClosing = ({ type }: StreamEvent): boolean =>
  type === "message_delta" || type === "message_stop";

/** Converts errors of the stream to failures of the model. Errors in the consumer are passed on. */
async function* withStreamFailures(
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  try {
    yield* events;
  } catch (cause) {
    throw getFailure(cause);
  }
}

function take(reader: AnswerReader, event: StreamEvent): ApiBlock | undefined {
  try {
    return reader.take(event);
  } catch (cause) {
    throw getFailure(cause);
  }
}

/** Returns a text as hooks want it to be shown. */
async function getShown(thread: Thread, { type, text }: ApiBlock): Promise<string | undefined> {
  return type === "text" && typeof text === "string" ? getDisplayText(thread, text) : undefined;
}

/** Reports a retry. A retry of a subagent is reported as progress of its call. */
function sayRetry(thread: Thread, retry: Retry): void {
  const { agent } = thread;
  const { attempt, maxRetries, delayMs, failure } = retry;
  if (isSilent(failure)) return;
  const facts = {
    attempt,
    max_retries: maxRetries,
    retry_delay_ms: delayMs,
    error_status: failure.status ?? null,
  };
  if (!agent) {
    thread.say({ type: "system", subtype: "api_retry", ...facts, error: errorWord(failure) });
    return;
  }
  thread.isRetrying = true;
  const subagent_retry = { agent_id: agent.id, ...facts, error_category: errorWord(failure) };
  sayProgress(thread, agent, { subagent_retry });
}

/** Reports that a retry succeeded. */
function sayAnswered(thread: Thread): void {
  if (!thread.isRetrying || !thread.agent) return;
  thread.isRetrying = false;
  sayProgress(thread, thread.agent, {});
}

function sayProgress(thread: Thread, agent: ThreadAgent, more: JsonObject): void {
  if (agent.inBackground) return; // Its call has already ended.
  thread.say({
    type: "tool_progress",
    tool_use_id: `agent_${agent.messageId}`,
    tool_name: "Agent",
    parent_tool_use_id: agent.toolUseId,
    elapsed_time_seconds: 0,
    subagent_type: agent.type,
    ...more,
  });
}

/** Returns the fallback model if this one is overloaded and there is one. */
export function getFallback(thread: Thread): string | undefined {
  const { fallbackModel } = thread.session.context.options;
  const other = fallbackModel === undefined ? undefined : resolveModel(fallbackModel);
  return other === thread.model() ? undefined : other;
}

function recordUsage(thread: Thread, model: string, answer: Answer, began: number): void {
  if (answer.id === "") return;
  const { tokens } = answer;
  thread.session.ledger.add(model, tokens, Date.now() - began);
  if (!thread.agent) thread.session.ledger.cache.add(tokens);
  thread.usage.add(tokens);
  thread.tokensInWindow = getWindow(tokens);
  noteFirst(thread, answer);
}

function noteFirst(thread: Thread, { tokens }: Answer): void {
  thread.firstTokens ??= { input: tokens.input_tokens, cacheRead: tokens.cache_read_input_tokens };
}

export function getMaxOutputTokens({ maxOutputTokens }: Session, model: string): number {
  const { maxOutputTokens: most } = getFacts(model);
  return Math.min(maxOutputTokens ?? most, most);
}

function requestFor(thread: Thread, model: string): ModelRequest {
  const { session } = thread;
  const maxOutputTokens = getMaxOutputTokens(session, model);
  if (getFacts(model).isUnlisted && session.ledger.byModel()[model] === undefined)
    getWarn(model, session);
  const effort = getEffort(session, model, thread.agent?.effort);
  return withCacheMarks({
    model,
    max_tokens: maxOutputTokens,
    system: thread.system.map((text) => ({ type: "text", text })),
    messages: apiMessages([...thread.opening, ...thread.entries]),
    tools: thread.tools().map(describeTool),
    metadata: { user_id: JSON.stringify({ session_id: session.context.sessionId }) },
    ...thinkingFor(model, session.maxThinkingTokens, maxOutputTokens),
    ...(effort ? { output_config: { effort } } : {}),
  });
}

/** Warns about an unknown model: a person gets an explanation, a program a separate line. */
function getWarn(model: string, { context }: Session): void {
  if (context.options.outputFormat === "text") context.report(unknownModelText(model));
  const facts = JSON.stringify({ model, query_source: "sdk" });
  context.report(`[claude-code:unrecognized_model] ${facts}`);
}

function describeTool({ name, description, input }: Tool): {
  name: string;
  description: string;
  input_schema: object;
} {
  return { name, description, input_schema: input };
}
