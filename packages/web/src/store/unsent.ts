import type { UnsentMessage } from "@signalbox/client";
import type { World } from "./app-context.tsx";

/** What was written in this browser and is not with the hub. */
export interface NotSent {
  /** Messages that wait for their session, which is there. */
  readonly waiting: readonly UnsentMessage[];
  /** Messages whose session is gone: nobody will ever take them. */
  readonly messages: readonly UnsentMessage[];
  /** The sessions that are gone and for which something was being written. */
  readonly drafts: readonly string[];
}

/** A draft has the name of its session, or that of a form. */
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `sessions`: all there are; undefined while that is not known, and then none is taken for gone. */
export function notSent(
  messages: readonly UnsentMessage[],
  drafts: readonly string[],
  sessions: readonly { readonly id: string }[] | undefined,
): NotSent {
  const there = sessions && new Set(sessions.map(({ id }) => id));
  const isThere = (session: string) => there?.has(session) ?? true;
  return {
    waiting: messages.filter(({ session }) => isThere(session)),
    messages: messages.filter(({ session }) => !isThere(session)),
    drafts: drafts.filter((name) => SESSION.test(name) && !isThere(name)),
  };
}

export function countOf({ waiting, messages, drafts }: NotSent): number {
  return waiting.length + messages.length + drafts.length;
}

type Kept = Pick<World, "client" | "drafts">;

/** Whether something was written for a session that it does not have. */
export function hasWords(session: string, { client, drafts }: Kept): boolean {
  const unsent = client.outbox.messages.some((message) => message.session === session);
  return unsent || drafts.names().includes(session);
}

/** Who deletes a session deletes what was written for it, too. */
export function forgetWords(session: string, { client, drafts }: Kept): void {
  drafts.forget((name) => name === session);
  for (const message of client.outbox.messages) {
    if (message.session === session) void client.outbox.discard(message.id);
  }
}
