import type { DeferredCall } from "@signalbox/agent";
import { shownFor } from "../hooks/display.ts";
import { apiMessages } from "../model/conversation.ts";
import { failureText, tooLongAlone } from "../model/failure-text.ts";
import { apiErrorName, failureWord, isTooLong, type ModelFailure } from "../model/failure.ts";
import type { Executor } from "./executor.ts";
import { failureHooks } from "./stop-hooks.ts";
import { syntheticAnswer } from "./synthetic.ts";
import type { Thread } from "./thread.ts";
import { answeredPrompts } from "./turn-reporter.ts";

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

export const INTERRUPTED = "[Request interrupted by user]";

/** The end of a turn that was stopped. If a person did it, the conversation says so. */
export async function abortConversation(
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
export function sayInterrupted(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent?.inBackground === false) thread.takeUser(content);
  else thread.sayUser(content);
}

/** The end of a turn whose model gave no answer. */
export async function failConversation(
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
  const text = getFailureText(thread, failure, wasShortened);
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
