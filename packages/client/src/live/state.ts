/** The state of the connection to the hub. Times are in milliseconds. */
export type ConnectionState =
  | { readonly kind: "connecting" }
  /** Connected; the changes since the last connection are being loaded. */
  | { readonly kind: "catching-up" }
  | { readonly kind: "live" }
  /**
   * Connected, but the hub has stopped answering: what the page shows may be out of date. `since`: when the
   * client noticed.
   */
  | { readonly kind: "unresponsive"; readonly since: number }
  /** `retryAt`: the time of the next attempt; missing while one is being made. */
  | {
      readonly kind: "offline";
      readonly since: number;
      readonly why: string;
      readonly retryAt?: number;
    }
  /** The credential is not valid, or no longer: nothing is tried until there is another. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "closed" };

export interface ConnectionTiming {
  /** A connection counts as dead after this time without a frame. */
  readonly silenceMs: number;
  /** The time from opening the socket to `welcome`. */
  readonly dialMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** How often the connection is checked, and the hub is asked whether it still responds. */
  readonly checkMs: number;
}

/**
 * The hub sends a heartbeat every fifteen seconds. With the interval of the checks, a dead connection is
 * noticed within thirty-five.
 */
export const defaultTiming: ConnectionTiming = {
  silenceMs: 32_500,
  dialMs: 10_000,
  firstRetryMs: 250,
  maxRetryMs: 5_000,
  checkMs: 2_500,
};
