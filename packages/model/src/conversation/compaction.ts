import { listTexts } from "./prompt.ts";
import type { Turn } from "./request.ts";

/** Where a conversation stands: what was asked, and how many messages have answered it since. */
export type Position = { prompt: string; answered: number };

const request =
  /^(?:CRITICAL: Respond with TEXT ONLY[^]*?)?Your task is to create a detailed summary/;
const continued = /^This session is being continued from/;
const scriptedPrompt = /<scripted-prompt answered="(\d+)">\n([^]*?)\n<\/scripted-prompt>/;

/** The conversation without the order to sum it up, if it ends in one. */
export function beforeCompaction(messages: readonly Turn[]): Turn[] | undefined {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (!last || !request.test(listTexts(last).at(-1)?.trim() ?? "")) return undefined;
  // The order may share its message with tool results and with the prompt before it.
  const content = typeof last.content === "string" ? [] : last.content.slice(0, -1);
  return [...messages.slice(0, at), { ...last, content }];
}

/** A summary that carries the prompt along, so that the scene goes on after it. */
export function summary({ prompt, answered }: Position): string {
  return [
    "<summary>",
    "The scripted model keeps its place in a summary:",
    `<scripted-prompt answered="${answered}">`,
    prompt,
    "</scripted-prompt>",
    "</summary>",
  ].join("\n");
}

/** The place that a summary carries, if this message holds a summary. */
export function readCarriedText(turn: Turn): Position | undefined {
  const text = listTexts(turn).find((text) => continued.test(text.trim()));
  if (text === undefined) return undefined;
  const [, answered = "0", prompt = ""] = scriptedPrompt.exec(text) ?? [];
  return { prompt, answered: Number(answered) };
}

/** A summary's text is no prompt of its own. */
export function removeSummary(turn: Turn): Turn {
  if (typeof turn.content === "string") return { ...turn, content: [] };
  const content = turn.content.filter(
    ({ text }) => typeof text !== "string" || !continued.test(text.trim()),
  );
  return { ...turn, content };
}
