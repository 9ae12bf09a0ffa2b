import { type Mention, addMention } from "../store/mentions.ts";
import type { AppContext } from "../store/app-context.tsx";

/** Adds a mention to the draft of the next message and focuses the composer. */
export function addMentionToDraft({ drafts }: AppContext, session: string, mention: Mention): void {
  const draft = drafts.get(session);
  drafts.set(session, { ...draft, mentions: addMention(draft.mentions, mention) });
  document.querySelector<HTMLElement>("[data-role=composer]")?.focus();
}
