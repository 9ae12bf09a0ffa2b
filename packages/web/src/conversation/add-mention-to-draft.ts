import { type Mention, addMention } from "../store/mentions.ts";
import type { AppContext } from "../store/app-context.tsx";

/** Adds something to what the next message is about, and goes on to writing it. */
export function addMentionToDraft({ drafts }: AppContext, session: string, mention: Mention): void {
  const draft = drafts.get(session);
  drafts.set(session, { ...draft, mentions: addMention(draft.mentions, mention) });
  document.querySelector<HTMLElement>("[data-role=composer]")?.focus();
}
