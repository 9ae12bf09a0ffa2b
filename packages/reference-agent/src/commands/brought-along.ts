import type { Effort } from "../model/effort.ts";
import { readRule, type Rule } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import type { SlashCommand } from "./commands.ts";

/** What commands and skills bring along for the turn in which they are called. */
export interface BroughtAlong {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly rules: readonly Rule[];
}

export const NOTHING: BroughtAlong = { rules: [] };

/** A command that begins a turn leads it; of one that the model calls meanwhile the model does not change. */
export function bringAlong(
  session: Session,
  { model, effort, allowedTools }: SlashCommand,
  how: "begins the turn" | "called by the model",
): void {
  const { permission, birth, broughtAlong: before } = session;
  const rules = allowedTools.map((one) => readRule(one, "session", birth.folder));
  permission.rules.allow.push(...rules);
  session.broughtAlong = {
    model: how === "begins the turn" ? model : before.model,
    effort: effort ?? before.effort,
    rules: [...before.rules, ...rules],
  };
}

/** The turn is over. */
export function takeAway({ permission, broughtAlong }: Session): void {
  permission.rules.allow = permission.rules.allow.filter(
    (rule) => !broughtAlong.rules.includes(rule),
  );
}
