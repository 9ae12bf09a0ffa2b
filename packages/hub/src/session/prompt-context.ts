import type { NewPrompt, PromptContext } from "@signalbox/api";
import { joinContext } from "@signalbox/protocol/wire";
import { isSlashCommand } from "@signalbox/protocol/text";
import { HubRefusal } from "../refusal.ts";
import type { PromptRow } from "../store/store.ts";

type StoredText = Pick<PromptRow, "text" | "context">;

export function readContext({ context }: Pick<PromptRow, "context">): PromptContext | undefined {
  return context === null ? undefined : (JSON.parse(context) as PromptContext);
}

/** The text that the agent receives: the context of the message, then its own text. */
export function composeText(row: StoredText): string {
  const context = readContext(row);
  return context ? joinContext(context, row.text) : row.text;
}

/** Agents recognize a command by the first character of what they receive. */
export function requireNoCommand({ text, context }: NewPrompt): void {
  if (!context || !isSlashCommand(text)) return;
  const detail =
    "A slash command cannot carry context, because the agent would not recognize it. Send it without the context.";
  throw new HubRefusal(422, "context-with-command", detail);
}
