import type { StoredMessage } from "../agent.ts";

/**
 * A branch with all that belongs to its answers. Claude Code hangs the result of each call at the
 * call itself: with several in one answer, a way from leaf to root passes only one of the results,
 * and perhaps not all the calls.
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
  const beside = [...messages.values()].filter(({ uuid }) => !onBranch.has(uuid));
  const calls = groupedBy(beside, (message) => lastOfAnswer.get(answerId(message) ?? ""));
  const results = groupedBy(beside, (message) => {
    const parent = isResult(message) ? messages.get(String(message["parentUuid"])) : undefined;
    return parent && lastOfAnswer.get(answerId(parent) ?? "");
  });
  return branch.flatMap((message) => [
    message,
    ...(calls.get(message.uuid) ?? []),
    ...(results.get(message.uuid) ?? []),
  ]);
}

/** Which of the model's answers a line is a part of. */
export function answerId({ type, message }: StoredMessage): string | undefined {
  const id = type === "assistant" ? message?.["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function isResult({ type, message }: StoredMessage): boolean {
  const content = type === "user" ? message?.content : undefined;
  return Array.isArray(content) && content.some((block) => block.type === "tool_result");
}

/** In the order in which they came; those without a key are left out. */
function groupedBy(
  messages: readonly StoredMessage[],
  keyOf: (message: StoredMessage) => string | undefined,
): Map<string | undefined, StoredMessage[]> {
  const groups = new Map<string | undefined, StoredMessage[]>();
  for (const message of messages) {
    const key = keyOf(message);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(message);
    else groups.set(key, [message]);
  }
  return groups;
}
