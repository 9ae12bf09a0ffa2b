import type { StoredMessage } from "../agent.ts";

/**
 * Adds everything that belongs to the answers on a branch. Claude Code makes the result of each
 * call a child of that call, so with several calls in one answer the path from leaf to root
 * contains only one of the results, and perhaps not all calls.
 */
export function withParallelCalls(
  branch: readonly StoredMessage[],
  messages: ReadonlyMap<string, StoredMessage>,
): StoredMessage[] {
  const onBranch = new Set(branch.map(({ uuid }) => uuid));
  const lastOfAnswer = new Map(
    branch.flatMap((message) => {
      const id = answerId(message);
      return id === undefined ? [] : [[id, message.uuid] as const];
    }),
  );
  const otherMessages = [...messages.values()].filter(({ uuid }) => !onBranch.has(uuid));
  const calls = groupBy(otherMessages, (message) => lastOfAnswer.get(answerId(message) ?? ""));
  const results = groupBy(otherMessages, (message) => {
    const parent = isResult(message) ? messages.get(String(message["parentUuid"])) : undefined;
    return parent && lastOfAnswer.get(answerId(parent) ?? "");
  });
  return branch.flatMap((message) => [
    message,
    ...(calls.get(message.uuid) ?? []),
    ...(results.get(message.uuid) ?? []),
  ]);
}

/** Returns the id of the model's answer to which a line belongs. */
export function answerId({ type, message }: StoredMessage): string | undefined {
  const id = type === "assistant" ? message?.["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function isResult({ type, message }: StoredMessage): boolean {
  const content = type === "user" ? message?.content : undefined;
  return Array.isArray(content) && content.some((block) => block.type === "tool_result");
}

/** Groups items by key, in their order. Items without a key are omitted. */
function groupBy(
  messages: readonly StoredMessage[],
  getKey: (message: StoredMessage) => string | undefined,
): Map<string | undefined, StoredMessage[]> {
  const groups = new Map<string | undefined, StoredMessage[]>();
  for (const message of messages) {
    const key = getKey(message);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return groups;
}
