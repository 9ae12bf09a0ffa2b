import { createHash } from "node:crypto";
import type { MessagesRequest } from "./request.ts";

const remembered = 1000;

/** Counts how often a conversation has failed: the one thing that a request does not tell. */
export class Attempts {
  readonly #failures = new Map<string, number>();

  /** How often this conversation has failed so far, and a way to count one more. */
  of(request: MessagesRequest): { failed: number; fail: () => void } {
    const key = requestKey(request);
    const failed = this.#failures.get(key) ?? 0;
    return { failed, fail: () => this.#set(key, failed + 1) };
  }

  /** Forgets the conversation that failed longest ago when there are too many. */
  #set(key: string, failed: number): void {
    this.#failures.delete(key);
    this.#failures.set(key, failed);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= remembered) return;
      this.#failures.delete(oldest);
    }
  }
}

/** The same words of the same asker, whichever model is asked: retries may go to a fallback. */
function requestKey({ asker, messages }: MessagesRequest): string {
  const requestText = JSON.stringify([asker, messages], leaveOutCacheMarks);
  return createHash("sha256").update(requestText).digest("base64");
}

/** Claude Code moves its cache marks about from one request to the next. */
function leaveOutCacheMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}
