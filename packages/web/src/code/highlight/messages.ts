import type { Language } from "./languages.ts";
import type { TokenLine } from "./tokens.ts";

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: Language;
}

/** Without lines the grammar could not be loaded or failed, and the code stays plain. */
export interface HighlightReply {
  readonly id: number;
  readonly lines?: readonly TokenLine[];
}
