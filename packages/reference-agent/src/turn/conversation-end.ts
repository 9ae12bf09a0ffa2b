import type { DeferredCall } from "@signalbox/agent";
import { getDisplayText } from "../hooks/display.ts";
import { apiMessages } from "../model/conversation.ts";
import { failureText, tooLongAlone } from "../model/failure-text.ts";
import { apiErrorName, failureWord, isTooLong, type ModelFailure } from "../model/failure.ts";
import type { Executor } from "./executor.ts";
import { failureHooks } from "./stop-hooks.ts";
import { syntheticAnswer } from "./synthetic.ts";
import type { Thread } from "./thread.ts";
import { answeredPrompts } from "./turn-reporter.ts";

/** How the turn of a thread ended. */
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
  /** The call that a hook deferred. */
  readonly deferred?: DeferredCall;
  /** The turn was stopped in favor of another prompt after it had already answered something. */
  readonly madeWay?: boolean;
}

export const INTERRUPTED = "[Request interrupted by user]";

/** Ends a turn that was stopped. If a person stopped it, the conversation contains a note. */
export async function abortConversation(
  thread: Thread,
  executor: Executor,
  lastMessage: string | undefined,
  words = "[Request interrupted by user for tool use]",
): Promise<ConversationEnd> {
  if (executor.count > 0) {
    await executor.finish();
    const end = { reason: "aborted_tools", text: "", stopReason: "tool_use" } as const;
    if (thread.makesWay) return { ...end, madeWay: true };
    sayInterrupted(thread, words);
    return end;
  }
  const end = { reason: "aborted_streaming", text: lastMessage ?? "", stopReason: null } as const;
  if (thread.makesWay) return { ...end, madeWay: lastMessage !== undefined };
  sayInterrupted(thread, INTERRUPTED);
  return end;
}

/**
 * Adds the note about an interrupt. For a subagent in the foreground, the result of its call
 * contains it.
 */
export function sayInterrupted(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent?.inBackground === false) thread.takeUser(content);
  else thread.sayUser(content);
}

/** Ends a turn whose model gave no answer. */
export async function failConversation(
  thread: Thread,
  failure: ModelFailure,
  wasShortened = false,
): Promise<ConversationEnd> {
  const text = await sayFailure(thread, failure, wasShortened);
  void failureHooks(thread, failureWord(failure), text); // Nobody waits for these hooks.
  return { reason: "api_error", text, stopReason: "stop_sequence", failure };
}

/** Reports the model's failure as an answer, because hosts show it in that place. */
async function sayFailure(
  thread: Thread,
  failure: ModelFailure,
  wasShortened: boolean,
): Promise<string> {
  const text = getFailureText(thread, failure, wasShortened);
  const { status, type, requestId } = failure;
  // The agent that started it is told.
  if (thread.agent && thread.agent.visibility !== "all") return text;
  const stop = { reason: "stop_sequence", sequence: "" };
  const shown = await getDisplayText(thread, text);
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

function getFailureText(thread: Thread, failure: ModelFailure, wasShortened: boolean): string {
  const { entries, session } = thread;
  if (isTooLong(failure) && !wasShortened && !entries.some(({ role }) => role === "assistant")) {
    return tooLongAlone(failure, Math.ceil(JSON.stringify(apiMessages(entries)).length / 4));
  }
  const { ANTHROPIC_BASE_URL: gateway, CLAUDE_CODE_ENTRYPOINT: entrypoint } =
    session.context.environment;
  const byHand = entrypoint === "sdk-cli";
  return failureText(failure, { model: thread.model(), gateway, byHand });
}
