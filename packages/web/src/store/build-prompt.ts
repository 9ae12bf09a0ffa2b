import type { NewPrompt } from "@signalbox/api";
import type { Attachment } from "./attachment.ts";
import type { MessageDraft } from "./drafts.ts";
import { withMentions } from "./mentions.ts";

/** The message that a draft becomes when it is sent. */
export function buildPrompt({ text, images, mentions, context }: MessageDraft): NewPrompt {
  return {
    text: withMentions(text, mentions),
    ...(images.length > 0 && { images: images.map(toSentFile) }),
    ...(context && { context }),
  };
}

function toSentFile({ data, name }: Attachment) {
  return { data, ...(name !== undefined && { name }) };
}
