import { describe } from "./describe.ts";
import type { Session } from "./session.ts";

/** Tells hosts that asked for the list of commands when servers add or remove prompts. */
export function tellCommands(session: Session): void {
  const { initialize } = describe(session);
  const commands = initialize?.["commands"];
  const now = JSON.stringify(commands);
  if (session.announcedCommands === undefined || session.announcedCommands === now) return;
  session.announcedCommands = now;
  session.say({ type: "system", subtype: "commands_changed", commands });
}
