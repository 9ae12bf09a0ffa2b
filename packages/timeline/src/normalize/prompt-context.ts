import { type PromptContext, splitContext } from "@signalbox/protocol/wire";
import type { ContentPart } from "../event.ts";
import { text } from "./fields.ts";

type Content = string | readonly ContentPart[];

/** A message's context and what the person wrote after it. The context is at the start of its text. */
export function separateContext(content: Content): { content: Content; context?: PromptContext } {
  if (typeof content === "string") {
    const split = splitContext(content);
    return split ? { content: split.text, context: split.context } : { content };
  }
  const [first, ...others] = content;
  const split = first && splitContext(text(first["text"]) ?? "");
  if (!split) return { content };
  const rest = split.text === "" ? others : [{ ...first, text: split.text }, ...others];
  return { content: rest, context: split.context };
}
