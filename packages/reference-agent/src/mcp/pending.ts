import { clampTimerMs } from "@signalbox/agent";
import { type Rpc, RpcError } from "./channel.ts";

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Whether the timeout is suspended because a person is being asked. */
  readonly isHeld?: () => boolean;
}

/** No answer came in time. */
export class AnswerLate extends Error {
  override readonly name = "AnswerLate";
  override readonly message = "Request timed out";
}

/** The reason that a server gets for the cancellation of a late request. */
export const LATE = "SdkError: Request timed out";
const REQUEST_MS = 60_000;

/** Requests that wait for their answers, on any kind of channel. */
export class Pending {
  #next: number;
  readonly #giveUp: (id: number, reason: string) => void;
  readonly #waiting = new Map<
    number,
    { resolve(value: unknown): void; reject(why: Error): void }
  >();

  /** `giveUp` cancels a request at the server. */
  constructor(giveUp: (id: number, reason: string) => void, firstId = 0) {
    this.#next = firstId;
    this.#giveUp = giveUp;
  }

  open({ signal, timeoutMs = REQUEST_MS, isHeld }: RequestOptions = {}): {
    id: number;
    answer: Promise<unknown>;
  } {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(id);
        act();
      };
      const giveUp = (why: Error, reason: string) => {
        settle(() => reject(why));
        this.#giveUp(id, reason);
      };
      const onAbort = () => giveUp(new Error("interrupted"), "AbortError: remote-cancel");
      const onTime = () => {
        if (isHeld?.()) timer = setTimeout(onTime, clampTimerMs(timeoutMs));
        else giveUp(new AnswerLate(), LATE);
      };
      let timer = setTimeout(onTime, clampTimerMs(timeoutMs));
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (why) => settle(() => reject(why)),
      });
    });
    return { id, answer };
  }

  take(message: Rpc): void {
    const waiting = typeof message.id === "number" ? this.#waiting.get(message.id) : undefined;
    if (!waiting) return;
    if (message.error) waiting.reject(new RpcError(message.error));
    else waiting.resolve(message.result);
  }

  /** Whether a request still waits for its answer. */
  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  fail(id: number, why: Error): void {
    this.#waiting.get(id)?.reject(why);
  }

  failAll(why: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(why);
  }
}

/** Creates the notification that cancels a request. */
export const createCancelNotification = (requestId: number, reason: string): Rpc => ({
  method: "notifications/cancelled",
  params: { requestId, reason },
});
