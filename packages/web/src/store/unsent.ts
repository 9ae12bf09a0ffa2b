import type { UnsentMessage } from "@signalbox/client";
import type { AppContext } from "./app-context.tsx";

/** What was written in this browser and is not with the hub. */
export interface UnsentContent {
  /** Messages that wait for their session, which is there. */
  readonly waiting: readonly UnsentMessage[];
  /** Messages whose session is gone: nobody will ever take them. */
  readonly orphanedMessages: readonly UnsentMessage[];
  /** The sessions that are gone and for which something was being written. */
  readonly orphanedDrafts: readonly string[];
}

/** A draft has the name of its session, or that of a form. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `sessions`: all there are; undefined while that is not known, and then none is taken for gone. */
export function collectUnsent(
  messages: readonly UnsentMessage[],
  drafts: readonly string[],
  sessions: readonly { readonly id: string }[] | undefined,
): UnsentContent {
  const there = sessions && new Set(sessions.map(({ id }) => id));
  const isThere = (session: string) => there?.has(session) ?? true;
  return {
    waiting: messages.filter(({ session }) => isThere(session)),
    orphanedMessages: messages.filter(({ session }) => !isThere(session)),
    orphanedDrafts: drafts.filter((name) => SESSION_ID.test(name) && !isThere(name)),
  };
}

export function countUnsent({
  waiting,
  orphanedMessages: messages,
  orphanedDrafts: drafts,
}: UnsentContent): number {
  return waiting.length + messages.length + drafts.length;
}

type UnsentSources = Pick<AppContext, "client" | "drafts">;

/** Whether something was written for a session that it does not have. */
export function hasUnsent(session: string, { client, drafts }: UnsentSources): boolean {
  const unsent = client.outbox.messages.some((message) => message.session === session);
  return unsent || drafts.names().includes(session);
}

/** Who deletes a session deletes what was written for it, too. */
export function discardUnsent(session: string, { client, drafts }: UnsentSources): void {
  drafts.forget((name) => name === session);
  for (const message of client.outbox.messages) {
    if (message.session === session) void client.outbox.discard(message.id);
  }
}
