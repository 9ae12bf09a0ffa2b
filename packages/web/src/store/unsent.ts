import type { UnsentMessage } from "@signalbox/client";
import type { AppContext } from "./app-context.tsx";

/** Messages and drafts that have not reached the hub. */
export interface UnsentContent {
  /** Messages for existing sessions. */
  readonly waiting: readonly UnsentMessage[];
  /** Messages whose session was deleted. They will never be sent. */
  readonly orphanedMessages: readonly UnsentMessage[];
  /** Deleted sessions that still have a draft. */
  readonly orphanedDrafts: readonly string[];
}

/** Drafts are named after their session or a form. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isSessionId(name: string): boolean {
  return SESSION_ID.test(name);
}

/** `sessions` are all existing sessions. While they are not known, none counts as deleted. */
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
    orphanedDrafts: drafts.filter((name) => isSessionId(name) && !isThere(name)),
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

/** Whether there is an unsent message or a draft for a session. */
export function hasUnsent(session: string, { client, drafts }: UnsentSources): boolean {
  const unsent = client.outbox.messages.some((message) => message.session === session);
  return unsent || drafts.names().includes(session);
}

/** Removes the unsent messages and the draft of a session. */
export function discardUnsent(session: string, { client, drafts }: UnsentSources): void {
  drafts.forget((name) => name === session);
  for (const message of client.outbox.messages) {
    if (message.session === session) void client.outbox.discard(message.id);
  }
}
