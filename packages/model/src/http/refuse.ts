import type { ServerResponse } from "node:http";
import { wireError } from "../reply/events.ts";
import type { ApiError } from "../script/types.ts";

/** Answers with an error in Anthropic's shape. */
export function refuse(response: ServerResponse, error: ApiError, requestId: string): void {
  response.writeHead(error.status, { "content-type": "application/json", ...limits(error) });
  response.end(JSON.stringify({ ...wireError(error), request_id: requestId }));
}

/**
 * With these Claude Code 2.1.325 emits `rate_limit_event` and gives up at once, but only if it is
 * signed in with a subscription's token; with an API key it waits `retry-after` and tries again.
 */
function limits({ retryAfterSeconds }: ApiError): Record<string, string> {
  if (retryAfterSeconds === undefined) return {};
  const reset = Math.ceil(Date.now() / 1000) + retryAfterSeconds;
  return {
    "retry-after": `${retryAfterSeconds}`,
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": `${reset}`,
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
  };
}
