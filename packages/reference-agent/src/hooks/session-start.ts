import type { JsonObject } from "@signalbox/protocol/wire";
import { tokensAfter } from "../model/conversation.ts";
import { getFacts } from "../model/models.ts";
import type { Prompt } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { type HookOutcome, getRemarks } from "./outcome.ts";

const CACHE_LASTS_S = 300;

/**
 * Builds the input of `SessionStart` hooks: where the conversation comes from, and the cost of
 * resuming it.
 */
export function sessionStart({ context, modelName }: Session): JsonObject & { source: string } {
  const { conversation, options } = context;
  if (conversation.length === 0) return { source: "startup" };
  const source = options.forkSession ? "fork" : "resume";
  const last = conversation.findLast(({ type }) => type === "assistant");
  const answered = Date.parse(String(last?.["timestamp"]));
  if (Number.isNaN(answered)) return { source };
  const seconds = Math.max(0, Math.floor((Date.now() - answered) / 1000));
  const tokens = tokensAfter(conversation);
  const cost = (tokens * getFacts(modelName).prices.cacheWrite) / 1_000_000;
  return {
    source,
    seconds_since_last_response: seconds,
    context_tokens: tokens,
    prompt_cache_likely_expired: seconds > CACHE_LASTS_S,
    estimated_cache_write_usd: Math.round(cost * 10_000) / 10_000,
  };
}

/** Returns what the model is told about these hooks, with the next prompt. */
export function startRemarks(outcome: HookOutcome, source: string): string[] {
  return getRemarks("SessionStart", outcome, source);
}

/** Creates the prompt with which a hook begins the session; it counts as a person's. */
export function firstPrompt(content: string): Prompt {
  const message = { role: "user", content };
  return { uuid: crypto.randomUUID(), content, line: { type: "user", message } };
}
