import { isObject } from "@signalbox/protocol/wire";
import type { ApiBlock } from "../model/conversation.ts";
import { toolNamed } from "../tool-names.ts";
import type { Tool } from "../tool.ts";
import { coerceInput } from "../tools/coerce-input.ts";
import { allTools } from "./all-tools.ts";
import type { Thread } from "./thread.ts";

/** Completes the input of a call as its tool requires, before anybody sees it. */
export async function completeToolUse(thread: Thread, block: ApiBlock): Promise<ApiBlock> {
  if (block.type !== "tool_use" || !isObject(block["input"])) return block;
  const tool = getTool(thread, block);
  if (!thread.agent?.inBackground) reportToolUse(thread, block);
  if (!tool) return block;
  const input = coerceInput(tool.input, block["input"]);
  return { ...block, input: (await tool.complete?.(input, thread.session)) ?? input };
}

const getTool = (thread: Thread, block: ApiBlock): Tool | undefined =>
  toolNamed(thread.tools(), block["name"]);

/**
 * Reports a subagent's progress: before its call, or after it if the subagent is in the background.
 */
export function reportToolUse(thread: Thread, block: ApiBlock): void {
  const name = String(block["name"]);
  const input = isObject(block["input"]) ? block["input"] : {};
  const isOffered = getTool(thread, block) !== undefined;
  const tool = toolNamed(allTools(thread.session), name);
  thread.onToolUse?.(name, { input, isOffered, doing: tool?.doing?.(input, thread.session) });
}
