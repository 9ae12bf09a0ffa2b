import { escapeForTerminal } from "@signalbox/protocol/text";
import type { Session } from "@signalbox/client";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";

/** The number of characters of an id that are shown. */
const SHORT_ID = 8;

export function shortId({ id }: { readonly id: string }): string {
  return id.slice(0, SHORT_ID);
}

/** Finds a session by a unique start of its id, or by its title. */
export function pickSession(sessions: readonly Session[], name: string): Session {
  const [session, ...others] = findCandidates(sessions, name);
  if (!session) {
    throw new CommandError(
      exitCode.notFound,
      `No session matches "${escapeForTerminal(name)}". Run \`signalbox ls --all\` to list all sessions.`,
    );
  }
  if (others.length === 0) return session;
  const several = [session, ...others];
  const isShortEnough = new Set(several.map(shortId)).size === several.length;
  const rows = several.map(
    (each) => `  ${isShortEnough ? shortId(each) : each.id}  ${each.state}  ${formatTitle(each)}`,
  );
  throw new CommandError(
    exitCode.usage,
    `Several sessions match "${escapeForTerminal(name)}". Use more of the id of one:\n${rows.join("\n")}`,
  );
}

function formatTitle({ title }: Session): string {
  return escapeForTerminal(title).replaceAll("\n", " ");
}

function findCandidates(sessions: readonly Session[], name: string): readonly Session[] {
  const text = name.trim().toLowerCase();
  if (text === "") return [];
  const exact = sessions.filter(({ id }) => id === text);
  if (exact.length > 0) return exact;
  // A title that equals the start of the id of another session is ambiguous as well.
  return sessions.filter(({ id, title }) => id.startsWith(text) || title.toLowerCase() === text);
}
