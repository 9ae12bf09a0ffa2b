import { readCarriedText, type Position, removeSummary } from "./compaction.ts";
import { findPrompt } from "./prompt.ts";
import type { Turn } from "./request.ts";

/** Finds the last prompt of a conversation and counts the answers after it. */
export function findPosition(messages: readonly Turn[]): Position {
  let answered = 0;
  for (const turn of messages.toReversed()) {
    if (turn.role === "assistant") answered++;
    const storedPosition = turn.role === "user" ? readCarriedText(turn) : undefined;
    const prompt = findPrompt(storedPosition ? removeSummary(turn) : turn);
    if (prompt !== "") return { prompt, answered };
    if (storedPosition)
      return { prompt: storedPosition.prompt, answered: answered + storedPosition.answered };
  }
  return { prompt: "", answered };
}
