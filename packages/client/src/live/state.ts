/** How things stand with the hub, told as they are. Times in milliseconds. */
export type ConnectionState =
  | { readonly kind: "connecting" }
  /** Connected; what changed meanwhile is on its way. */
  | { readonly kind: "catching-up" }
  | { readonly kind: "live" }
  /** `retryAt`: when it is tried again; without it, it is being tried. */
  | {
      readonly kind: "offline";
      readonly since: number;
      readonly why: string;
      readonly retryAt?: number;
    }
  /** The credential is not (or no longer) good: no more is tried until there is another. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "closed" };

export interface ConnectionTiming {
  /** A link on which nothing is heard for so long is dead. */
  readonly silenceMs: number;
  /** From the first word to `welcome`. */
  readonly dialMs: number;
  readonly firstRetryMs: number;
  readonly mostRetryMs: number;
  /** How often the link is looked after. */
  readonly lookMs: number;
}

/** The hub beats every fifteen seconds; with the look after it, silence is found within thirty-five. */
export const defaultTiming: ConnectionTiming = {
  silenceMs: 32_500,
  dialMs: 10_000,
  firstRetryMs: 250,
  mostRetryMs: 5_000,
  lookMs: 2_500,
};
