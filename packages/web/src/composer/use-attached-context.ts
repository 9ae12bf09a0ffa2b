import type { PromptContext } from "@signalbox/api";
import { isSlashCommand } from "@signalbox/protocol/text";
import { useState } from "react";

interface AttachedContext {
  readonly context: PromptContext | undefined;
  /** The context to send with a message. A slash command goes without it. */
  readonly contextFor: (text: string) => PromptContext | undefined;
  readonly remove: () => void;
}

/** The context that the surrounding page gives to messages, until the person removes it. */
export function useAttachedContext(given: PromptContext | undefined): AttachedContext {
  const key = JSON.stringify(given);
  const [removed, setRemoved] = useState<string>();
  const context = removed === key ? undefined : given;
  return {
    context,
    contextFor: (text) => (isSlashCommand(text) ? undefined : context),
    remove: () => setRemoved(key), // until the surrounding page shows something else
  };
}
