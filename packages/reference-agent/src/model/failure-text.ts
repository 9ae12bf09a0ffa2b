import { failureWord, isTooLong, type ModelFailure } from "./failure.ts";
import { knownRefusal } from "./known-refusals.ts";

/** The target of a request. */
interface Asked {
  readonly model: string;
  /** The value of `ANTHROPIC_BASE_URL`. */
  readonly gateway?: string | undefined;
  /** A person typed the command line and can change it. */
  readonly byHand?: boolean;
}

/** Renders a failure for people. */
export function failureText(failure: ModelFailure, asked: Asked): string {
  const { status, apiText, isUnsent } = failure;
  if (isUnsent) return apiText;
  if (isTooLong(failure)) return "Prompt is too long";
  if (status === undefined) return connectionText(failure, asked);
  if (failure.isRepeated) {
    return `API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary. Try again in a moment. ${describePersistentFailure(asked)}`;
  }
  const known = knownRefusal(failure);
  if (known) return known.text;
  if (status === 401 || status === 403)
    return `Failed to authenticate. API Error: ${status} ${apiText}`;
  if (status === 404) {
    const advice = asked.byHand ? " Run --model to pick a different model." : "";
    return `There's an issue with the selected model (${asked.model}). It may not exist or you may not have access to it.${advice}`;
  }
  if (status === 413) {
    return "Request too large (max 32MB). Accumulated images and attachments in the conversation pushed the request over the limit. Remove older images or compact the conversation.";
  }
  if (status === 429) return `API Error: Request rejected (429) · ${apiText}`;
  if (status < 500) return `API Error: ${status} ${apiText}`;
  return `API Error: ${status} ${apiText.replace(/\.$/, "")}. This is a server-side issue, usually temporary — try again in a moment. ${describePersistentFailure(asked)}`;
}

function connectionText({ apiText, code }: ModelFailure, { gateway }: Asked): string {
  switch (code) {
    case "ECONNREFUSED":
      return "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)";
    case "ENOTFOUND":
      return "API Error: Can't reach the API server — check your internet or DNS (ENOTFOUND)";
    case "ECONNRESET":
      return gateway === undefined
        ? "API Error: Connection dropped (ECONNRESET). Check your internet connection, then try again."
        : "API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.";
    case "ETIMEDOUT":
      return "Request timed out";
    default:
      return `API Error: ${apiText}`;
  }
}

function describePersistentFailure({ gateway }: Asked): string {
  const host = gateway === undefined ? undefined : getHost(gateway);
  return host === undefined || host === "api.anthropic.com"
    ? "If it persists, check https://status.claude.com."
    : `If it persists, check your inference gateway (${host}).`;
}

function getHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/**
 * Whether a request is too long although its conversation is not, so that a summary would not help.
 */
export function tooLongAlone({ apiText }: ModelFailure, conversationTokens: number): string {
  const [, tokens, limit] = /(\d+) tokens > (\d+) maximum/.exec(apiText) ?? [];
  if (limit === undefined || conversationTokens >= Number(limit)) return "Prompt is too long";
  return `Prompt is too long · the request is ~${tokens} tokens (limit ${limit}) but this conversation is only ~${conversationTokens} tokens — the rest is system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; reduce attached files/tools or start with less context.`;
}

/** Renders the failure of a subagent for the agent that started it. */
export function failedAgentText(text: string, failure: ModelFailure, model: string): string {
  const { status, requestId } = failure;
  const facts = [
    `error type ${failureWord(failure)}`,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
    ...(failure.isOverLimit ? [] : [`model sent to the API: ${model}`]),
  ];
  return `Agent terminated early due to an API error: ${text} (${facts.join(", ")})`;
}
