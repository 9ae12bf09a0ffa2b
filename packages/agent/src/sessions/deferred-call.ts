import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import { answerId } from "./parallel-calls.ts";

/** A call that a hook has deferred: it has no result, and is made when the session is resumed. */
export interface DeferredCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

const KIND = "hook_deferred_tool";

/**
 * Records a deferred call in the same form as Claude Code, so that either program can resume the
 * other's session.
 */
export function createDeferredCallMessage(
  { id, name, input }: DeferredCall,
  permissionMode: string,
): StoredMessage {
  return {
    type: "attachment",
    attachment: {
      type: KIND,
      toolUseID: id,
      toolName: name,
      toolInput: input,
      hookName: "settings",
      hookEvent: "PreToolUse",
      permissionMode,
    },
  };
}

/** Finds the last deferred call, unless the conversation continued without it. */
export function findDeferredCall(conversation: readonly StoredMessage[]): DeferredCall | undefined {
  const at = conversation.findLastIndex((line) => getAttachment(line)?.["type"] === KIND);
  const line = conversation[at];
  const { toolUseID: id, toolName: name, toolInput: input } = (line && getAttachment(line)) ?? {};
  if (typeof id !== "string" || typeof name !== "string" || !isObject(input)) return undefined;
  const last = conversation.slice(0, at).findLast(({ type }) => type === "assistant");
  const answer = last && answerId(last);
  const belongs = (later: StoredMessage): boolean => {
    if (later.type === "assistant") return answerId(later) === answer;
    if (later.type !== "user" || later["isMeta"] === true) return true;
    const results = listResultIds(later);
    return results.length > 0 && !results.includes(id);
  };
  return conversation.slice(at + 1).every(belongs) ? { id, name, input } : undefined;
}

function getAttachment({ type, attachment }: StoredMessage): JsonObject | undefined {
  return type === "attachment" && isObject(attachment) ? attachment : undefined;
}

/** Returns the ids of the calls whose results a message contains. */
function listResultIds({ message }: StoredMessage): unknown[] {
  const { content } = message ?? {};
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: JsonObject) =>
    block["type"] === "tool_result" ? [block["tool_use_id"]] : [],
  );
}
