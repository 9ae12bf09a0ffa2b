import { listTexts } from "./prompt.ts";
import type { Turn } from "./request.ts";

type ToolOffer = Record<string, unknown>;

/** Questions that 2.1.325 puts at the end of a conversation for itself. */
const ownQuestions = [/^\[SUGGESTION MODE/, /^The user stepped away and is coming back/];

/** Whether the program asks for itself, beside the conversation: a title, a path, a web search. */
export function isAside(model: string, tools: readonly ToolOffer[], messages: readonly Turn[]) {
  if (tools.length === 0 && /haiku/i.test(model)) return true; // the small model, for small jobs
  if (tools.length > 0 && tools.every(isRunByServer)) return true;
  const last = messages.findLast(({ role }) => role === "user");
  const asked = (last && listTexts(last).at(-1)?.trim()) ?? "";
  return ownQuestions.some((question) => question.test(asked));
}

/** The WebSearch tool asks the API to search: that request offers `web_search_20250305` alone. */
function isRunByServer({ type }: ToolOffer): boolean {
  return typeof type === "string" && /^web_(search|fetch)_\d+$/.test(type);
}
