import type { ToolStatus } from "../event.ts";
import type { Item } from "../item.ts";

/** Whether the agent is still writing this item: more of its text or of its input may come. */
export function isGrowing(item: Item): boolean {
  if (item.kind === "tool") return item.status === "preparing";
  return "live" in item && item.live;
}

/** The text that the agent is still writing: a message, a thought, or the input of a call. */
export function growingText(item: Item): string | undefined {
  if (!isGrowing(item)) return undefined;
  if (item.kind === "text" || item.kind === "thinking") return item.text;
  return item.kind === "tool" ? (item.inputText ?? "") : undefined;
}

/** The same item with another text in place of the one that `growingText` reads. */
export function replaceGrowingText(item: Item, text: string): Item {
  if (item.kind === "text" || item.kind === "thinking") return { ...item, text };
  return item.kind === "tool" ? { ...item, inputText: text } : item;
}

/** Whether a tool call is over. Background work that it started may still go on. */
export function isFinished(status: ToolStatus): boolean {
  return status !== "preparing" && status !== "running";
}
