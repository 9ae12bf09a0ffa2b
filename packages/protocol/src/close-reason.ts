/** Why a connection is over. Every reason has a sentence that a person understands. */
export interface CloseReason {
  readonly kind: string;
  readonly sentence: string;
}
