import { mergePrompts, type Prompt } from "@signalbox/agent";
import { getBlocks } from "../model/conversation.ts";
import type { Thread } from "./thread.ts";

/**
 * Adds messages that a person sent during the turn, between tools: prompts with only text are
 * combined, and those with images come before them, one by one.
 */
export function takeSteering(thread: Thread): void {
  const all = thread.steering();
  const others = all.filter((one) => !isNews(one));
  const promptsWithImages = others.filter((one) => getWords(one) === undefined);
  const [first, ...more] = others.flatMap((one) => {
    const content = getWords(one);
    return content === undefined ? [] : [{ ...one, content }];
  });
  const mergedPrompts = first ? [mergePrompts([first, ...more])] : [];
  for (const { content, uuid } of [...all.filter(isNews), ...promptsWithImages, ...mergedPrompts]) {
    thread.entries.push({ role: "user", content: getBlocks(content), uuid });
  }
}

const isNews = ({ line }: Prompt): boolean => line["isMeta"] === true;

/** Returns the text of a prompt; undefined if it contains anything else. */
function getWords({ content }: Prompt): string | undefined {
  const blocks = getBlocks(content);
  if (!blocks.every(({ type }) => type === "text")) return undefined;
  return blocks.map(({ text }) => String(text)).join("\n");
}
