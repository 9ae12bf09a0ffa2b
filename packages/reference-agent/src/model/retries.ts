import { clampTimerMs } from "@signalbox/agent";
import { isOverloaded, isRetried, ModelFailure, retryDelayMs } from "./failure.ts";

export interface Retry {
  readonly attempt: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  readonly failure: ModelFailure;
}

/** How many times overload counts as temporary. */
const OVERLOADS = 3;

/** Counts the attempts for one answer, whether the request was refused or its stream broke. */
export class Retries {
  readonly #maxRetries: number;
  readonly #signal: AbortSignal;
  readonly #onRetry: ((retry: Retry) => void) | undefined;
  #attempt = 0;
  #overloads = 0;

  constructor(maxRetries: number, signal: AbortSignal, onRetry?: (retry: Retry) => void) {
    this.#maxRetries = maxRetries;
    this.#signal = signal;
    this.#onRetry = onRetry;
  }

  /** Resolves when it is time to retry; rejects with the failure if a retry is pointless. */
  async after(failure: ModelFailure): Promise<void> {
    const attempt = ++this.#attempt;
    if (isOverloaded(failure) && ++this.#overloads >= OVERLOADS) throw failure.asRepeated();
    if (attempt > this.#maxRetries || !isRetried(failure, attempt)) throw failure;
    const delayMs = retryDelayMs(attempt, failure);
    this.#onRetry?.({ attempt, maxRetries: this.#maxRetries, delayMs, failure });
    await pause(delayMs, this.#signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, clampTimerMs(ms));
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
