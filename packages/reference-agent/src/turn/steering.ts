import { asOne, type Prompt } from "@signalbox/agent";
import { blocksOf } from "../model/conversation.ts";
import type { Thread } from "./thread.ts";

/** What a person sent meanwhile joins the conversation between tools: prompts of words as one text,
 * whatever shape they came in, and those with pictures before them, each for itself. */
export function takeSteering(thread: Thread): void {
  const all = thread.steering();
  const others = all.filter((one) => !isNews(one));
  const pictured = others.filter((one) => wordsOf(one) === undefined);
  const [first, ...more] = others.flatMap((one) => {
    const content = wordsOf(one);
    return content === undefined ? [] : [{ ...one, content }];
  });
  const worded = first ? [asOne([first, ...more])] : [];
  for (const { content, uuid } of [...all.filter(isNews), ...pictured, ...worded]) {
    thread.entries.push({ role: "user", content: blocksOf(content), uuid });
  }
}

const isNews = ({ line }: Prompt): boolean => line["isMeta"] === true;

/** Nothing where there is more than words. */
function wordsOf({ content }: Prompt): string | undefined {
  const blocks = blocksOf(content);
  if (!blocks.every(({ type }) => type === "text")) return undefined;
  return blocks.map(({ text }) => String(text)).join("\n");
}
