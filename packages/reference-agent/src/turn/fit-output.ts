import type { ContentBlock } from "@signalbox/agent";
import type { Session } from "../session.ts";
import { keepOutput, getPreview } from "../files/kept-output.ts";
import type { Output, Tool } from "../tool.ts";

const MAX_CHARS = 50_000;
const MAX_FAILURE = 10_000;

type Content = Output["content"];

/**
 * Returns the result for the model: that it is empty, the whole, or the beginning and where the
 * rest is stored.
 */
export async function fitOutput(
  session: Session,
  { name, maxChars = MAX_CHARS }: Pick<Tool, "name" | "maxChars">,
  toolUseId: string,
  content: Content,
): Promise<Content> {
  const blocks: readonly ContentBlock[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!blocks.every((block) => block.type === "text")) return content;
  const texts = blocks.map(({ text }) => String(text));
  if (texts.every((text) => text.trim() === "")) return `(${name} completed with no output)`;
  if (texts.reduce((all, text) => all + text.length, 0) <= maxChars) return content;
  const isText = typeof content === "string";
  const whole = isText ? content : JSON.stringify(content, null, 2);
  const path = await keepOutput(session, `${toolUseId}.${isText ? "txt" : "json"}`, whole);
  return getPreview({ path, size: whole.length, beginning: whole });
}

/** Returns the beginning and the end of a long failure. */
export function fitFailure(why: string): string {
  if (why.length <= MAX_FAILURE) return why;
  const half = MAX_FAILURE / 2;
  const left = why.length - MAX_FAILURE;
  return `${why.slice(0, half)}\n\n... [${left} characters truncated] ...\n\n${why.slice(-half)}`;
}
