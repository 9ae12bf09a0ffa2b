/** Why a connection ended. Every reason has a sentence that a person understands. */
export interface CloseReason {
  readonly kind: string;
  readonly sentence: string;
}
