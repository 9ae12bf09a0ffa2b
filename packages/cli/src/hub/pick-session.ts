import type { Session } from "@signalbox/client";
import { exitCode } from "../exit-code.ts";
import { Failure } from "../failure.ts";
import { visible } from "../terminal/visible.ts";

/** As much of an id as is shown, and as must be typed at least. */
export const SHORT_ID = 8;
const LEAST = 4;

export function shortId({ id }: { readonly id: string }): string {
  return id.slice(0, SHORT_ID);
}

/** The session that a person means: by the beginning of its id, or by its title. */
export function pickSession(sessions: readonly Session[], meant: string): Session {
  const [session, ...others] = candidates(sessions, meant);
  if (!session) {
    throw new Failure(
      exitCode.notFound,
      `There is no session "${visible(meant)}". \`signalbox ls\` shows all there are.`,
    );
  }
  if (others.length === 0) return session;
  const several = [session, ...others].map((it) => `  ${shortId(it)}  ${visible(it.title)}`);
  throw new Failure(
    exitCode.usage,
    `"${visible(meant)}" may be any of these; name one by its id:\n${several.join("\n")}`,
  );
}

function candidates(sessions: readonly Session[], meant: string): readonly Session[] {
  const text = meant.trim().toLowerCase();
  const whole = sessions.filter(({ id }) => id === text);
  if (whole.length > 0) return whole;
  const begun = sessions.filter(({ id }) => text.length >= LEAST && id.startsWith(text));
  return begun.length > 0 ? begun : sessions.filter(({ title }) => title.toLowerCase() === text);
}
