import { type Mention, mentioning } from "../store/mentions.ts";
import type { World } from "../store/app-context.tsx";

/** Adds something to what the next message is about, and goes on to writing it. */
export function mentionInComposer({ drafts }: World, session: string, mention: Mention): void {
  const draft = drafts.get(session);
  drafts.set(session, { ...draft, mentions: mentioning(draft.mentions, mention) });
  document.querySelector<HTMLElement>("[data-role=composer]")?.focus();
}
