import { isObject, type JsonObject, SignalboxError } from "@signalbox/protocol/wire";
import type { HostHookMatcher, OutgoingMessage } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { type HookAnswer, readHookAnswer } from "./answer.ts";
import type { HookRun } from "./hooks.ts";

/** Why a hook gave no verdict. Work that waits for a verdict must not continue without one. */
export type NoVerdict =
  | { readonly kind: "late"; readonly ms: number }
  /** The host disconnected. */
  | { readonly kind: "gone" }
  /** The host answered for another event. */
  | { readonly kind: "odd"; readonly why: string }
  /** The hook failed and is configured to block on failure. */
  | { readonly kind: "failed" };

export type CallbackAnswer = HookAnswer & { readonly noVerdict?: NoVerdict };

const DEFAULT_TIMEOUT_MS = 600_000;
const LONGEST_MS = 2 ** 31 - 1; // This is the longest delay of a timer.

/**
 * Calls the host's hook. A failure is reported and counts as an empty answer, unless the hook
 * blocks on failure.
 */
export async function askCallback(
  session: Session,
  id: string,
  matcher: HostHookMatcher,
  event: HookRun & { name: string; input: JsonObject },
): Promise<CallbackAnswer> {
  const { timeout, onFailure } = matcher;
  const timeoutMs =
    timeout === undefined ? DEFAULT_TIMEOUT_MS : Math.min(timeout * 1000, LONGEST_MS);
  let failed = false;
  try {
    const answer = await session.context.host.hook(id, event.input, {
      toolUseId: event.toolUseId ?? crypto.randomUUID(),
      timeoutMs,
      ...(event.signal ? { signal: event.signal } : {}),
      onFailure: () => (failed = true),
    });
    if (failed) {
      const blocks = onFailure === "block";
      const notice = failureNotice(event.name, id, blocks);
      if (event.say) event.say(notice);
      else session.say(notice);
      return blocks ? blockedByFailure(id) : {};
    }
    const odd = findForeignEvent(event.name, answer);
    return odd === undefined ? readHookAnswer(answer) : { noVerdict: { kind: "odd", why: odd } };
  } catch (cause) {
    if (SignalboxError.is(cause, "REQUEST_TIMED_OUT")) {
      return { noVerdict: { kind: "late", ms: timeoutMs } };
    }
    // In other cases the turn was interrupted, which also ends the wait.
    return SignalboxError.is(cause, "CONNECTION_CLOSED") ? { noVerdict: { kind: "gone" } } : {};
  }
}

const getFailure = (id: string): string =>
  `Hook callback ${id} failed: the SDK host replied with an error or an invalid answer.`;

function failureNotice(event: string, id: string, blocks: boolean): OutgoingMessage {
  const counts = blocks
    ? 'onFailure is "block", so this failure counts as a block.'
    : "Its answer was treated as empty.";
  return {
    type: "system",
    subtype: "informational",
    content: `${event}: ${getFailure(id)} ${counts}`,
    level: "warning",
    tag: "hook_callback_failed",
  };
}

function blockedByFailure(id: string): CallbackAnswer {
  const blocked = `[callback]: failed; blocking because onFailure is "block"\n${getFailure(id)}`;
  return { blocked, noVerdict: { kind: "failed" } };
}

function findForeignEvent(event: string, answer: JsonObject): string | undefined {
  const special = answer["hookSpecificOutput"];
  const name = isObject(special) ? special["hookEventName"] : undefined;
  if (typeof name !== "string" || name === event) return undefined;
  const whole = JSON.stringify(answer, null, 2);
  return `Hook returned incorrect event name: expected '${event}' but got '${name}'. Full stdout: ${whole}`;
}
