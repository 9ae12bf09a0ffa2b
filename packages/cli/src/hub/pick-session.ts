import { escapeForTerminal } from "@signalbox/protocol/text";
import type { Session } from "@signalbox/client";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";

/** As much of an id as is shown. */
const SHORT_ID = 8;

export function shortId({ id }: { readonly id: string }): string {
  return id.slice(0, SHORT_ID);
}

/** The session that a person names: by any beginning of its id that no other has, or by its title. */
export function pickSession(sessions: readonly Session[], meant: string): Session {
  const [session, ...others] = findCandidates(sessions, meant);
  if (!session) {
    throw new CommandError(
      exitCode.notFound,
      `There is no session "${escapeForTerminal(meant)}". \`signalbox ls --all\` shows all there are.`,
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
    `"${escapeForTerminal(meant)}" may be any of these; name one by more of its id:\n${rows.join("\n")}`,
  );
}

function formatTitle({ title }: Session): string {
  return escapeForTerminal(title).replaceAll("\n", " ");
}

function findCandidates(sessions: readonly Session[], meant: string): readonly Session[] {
  const text = meant.trim().toLowerCase();
  if (text === "") return [];
  const whole = sessions.filter(({ id }) => id === text);
  if (whole.length > 0) return whole;
  // A title that looks like the beginning of another session's id is ambiguous, too.
  return sessions.filter(({ id, title }) => id.startsWith(text) || title.toLowerCase() === text);
}
