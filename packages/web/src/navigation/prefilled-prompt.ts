import type { NewPrompt } from "@signalbox/api";
import type { MessageDraft } from "../store/drafts.ts";

/** The text of a deleted session with which a new one starts. */
export interface PrefilledPrompt {
  /** The id of the message, or of the session for which it was written. */
  readonly id: string;
  readonly text: string;
  readonly images: MessageDraft["images"];
  readonly context?: NewPrompt["context"];
  /** Called when the new session has the text. */
  readonly onCreated: () => void;
}
