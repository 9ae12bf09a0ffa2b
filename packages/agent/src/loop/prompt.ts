import type { ContentBlock, Prompt } from "../agent.ts";

/**
 * How long a prompt waits: not at all, until the next boundary between tools, or until the turn
 * ends.
 */
export type Priority = "now" | "next" | "later";

export function getPriority({ line }: Pick<Prompt, "line">): Priority {
  const { priority } = line;
  return priority === "now" || priority === "later" ? priority : "next";
}

/**
 * Whether the sender gave the prompt a uuid. Only such prompts are reported to hosts. The prompt
 * with which an agent resumes a deferred call has a uuid of its own.
 */
export function hasHostUuid({ line }: Pick<Prompt, "line">): boolean {
  return typeof line["uuid"] === "string" && line["uuid"] !== "" && line["goesOn"] !== true;
}

/** Adds the sender of a prompt that no person wrote. */
export function withOrigin(line: Prompt["line"]): Prompt["line"] {
  const isUnknown = line["isSynthetic"] === true && line["origin"] === undefined;
  return isUnknown ? { ...line, origin: { kind: "unclassified" } } : line;
}

export function isCommand({ content }: Pick<Prompt, "content">): boolean {
  const text = typeof content === "string" ? content : content[0]?.["text"];
  return typeof text === "string" && text.trimStart().startsWith("/");
}

/** Combines the prompts of a turn into one message for the model. */
export function mergePrompts(prompts: readonly [Prompt, ...Prompt[]]): Prompt {
  const [first, ...others] = prompts;
  if (others.length === 0) return first;
  const { uuid, line } = prompts.findLast(hasHostUuid) ?? first;
  return { uuid, line, content: prompts.map(({ content }) => content).reduce(joinContents) };
}

type Content = Prompt["content"];

/**
 * Joins two texts into one; other contents follow one another, with a text on a line of its own.
 */
function joinContents(before: Content, after: Content): Content {
  if (typeof before === "string" && typeof after === "string") return `${before}\n${after}`;
  const [head, tail] = [toBlocks(before), toBlocks(after)];
  const last = head.at(-1);
  if (last?.type !== "text" || tail[0]?.type !== "text") return [...head, ...tail];
  return [...head.slice(0, -1), { ...last, text: `${String(last["text"])}\n` }, ...tail];
}

function toBlocks(content: Content): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
