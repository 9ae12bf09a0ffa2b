import { carriedBy, type Position, withoutSummary } from "./compaction.ts";
import { promptIn } from "./prompt.ts";
import type { Turn } from "./request.ts";

/** Finds the last prompt of a conversation and counts the answers after it. */
export function positionOf(messages: readonly Turn[]): Position {
  let answered = 0;
  for (const turn of messages.toReversed()) {
    if (turn.role === "assistant") answered++;
    const kept = turn.role === "user" ? carriedBy(turn) : undefined;
    const prompt = promptIn(kept ? withoutSummary(turn) : turn);
    if (prompt !== "") return { prompt, answered };
    if (kept) return { prompt: kept.prompt, answered: answered + kept.answered };
  }
  return { prompt: "", answered };
}
