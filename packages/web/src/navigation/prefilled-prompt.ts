import type { NewPrompt } from "@signalbox/api";

/** Words of a session that is gone, with which another one is to begin. */
export interface PrefilledPrompt {
  /** Of the message, or of the session that they were being written for. */
  readonly id: string;
  readonly text: string;
  readonly images: NonNullable<NewPrompt["images"]>;
  /** The words are with the new session. */
  readonly onCreated: () => void;
}
