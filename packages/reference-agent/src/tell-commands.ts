import { describe } from "./describe.ts";
import type { Session } from "./session.ts";

/** Hosts that asked which commands there are hear of it when servers bring others, or take theirs
 * away. */
export function tellCommands(session: Session): void {
  const { initialize } = describe(session);
  const commands = initialize?.["commands"];
  const now = JSON.stringify(commands);
  if (session.announcedCommands === undefined || session.announcedCommands === now) return;
  session.announcedCommands = now;
  session.say({ type: "system", subtype: "commands_changed", commands });
}
