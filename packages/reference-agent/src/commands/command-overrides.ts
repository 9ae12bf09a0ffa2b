import type { Effort } from "../model/effort.ts";
import { readRule, type Rule } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import type { SlashCommand } from "./commands.ts";

/** What commands and skills change for the turn in which they are called. */
export interface CommandOverrides {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly rules: readonly Rule[];
}

export const NO_OVERRIDES: CommandOverrides = { rules: [] };

/**
 * Applies the overrides. A command at the beginning of a turn may set the model; a command that the
 * model calls later may not.
 */
export function applyOverrides(
  session: Session,
  { model, effort, allowedTools }: SlashCommand,
  how: "begins the turn" | "called by the model",
): void {
  const { permission, context, commandOverrides: before } = session;
  const rules = allowedTools.map((one) => readRule(one, "session", context.folder));
  permission.rules.allow.push(...rules);
  session.commandOverrides = {
    model: how === "begins the turn" ? model : before.model,
    effort: effort ?? before.effort,
    rules: [...before.rules, ...rules],
  };
}

/** Removes the overrides at the end of the turn. */
export function clearOverrides({ permission, commandOverrides: broughtAlong }: Session): void {
  permission.rules.allow = permission.rules.allow.filter(
    (rule) => !broughtAlong.rules.includes(rule),
  );
}
