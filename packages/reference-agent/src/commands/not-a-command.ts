import type { Session } from "../session.ts";
import { builtIn, builtInPrompts } from "./built-in.ts";

const MAX_NAMED = 20;

/**
 * Tells the model that a prompt looks like a command and is not one, so that it does not act as if
 * the command had run.
 */
export function notACommand(session: Session, name: string): string {
  const own = session.commands.filter(({ forPeople }) => forPeople);
  const known = [...own, ...builtIn, ...builtInPrompts].map((one) => `/${one.name}`);
  const more = known.length - MAX_NAMED;
  const named = known.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `What the user wrote begins like the command /${name}, but there is no such command here: nothing was run. The commands of this session are ${named}. Take the words for what they ask. If that cannot be done without the command, say that it is missing; do not claim that it ran.`;
}
