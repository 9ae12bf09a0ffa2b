import { listTexts } from "./prompt.ts";
import type { Block, Turn } from "./request.ts";

const reminder = /<system-reminder>[^]*?<\/system-reminder>/g;

/** What the program has told the model, oldest first: tool results, system messages, reminders. */
export function seenTexts(messages: readonly Turn[]): string[] {
  return messages.flatMap((turn) => {
    if (turn.role === "system") return listTexts(turn);
    if (turn.role !== "user") return [];
    const reminders = listTexts(turn).flatMap((text) => text.match(reminder) ?? []);
    const blocks = typeof turn.content === "string" ? [] : turn.content;
    return [...reminders, ...blocks.flatMap(resultTexts)];
  });
}

function resultTexts({ type, content }: Block): string[] {
  if (type !== "tool_result") return [];
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? listTexts({ role: "user", content }) : [];
}
