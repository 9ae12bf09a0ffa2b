import { HubRefusal } from "../refusal.ts";

/** The modes in which the agent asks a person. All others are refused, known or not. */
const askingModes: readonly unknown[] = ["default", "acceptEdits", "plan"];

/**
 * Refuses a mode in which the agent asks nobody. The policy `autonomous` is the only way to such an agent,
 * since it ends by itself and is always shown.
 */
export function requireAskingMode(mode: unknown): void {
  if (mode === undefined || askingModes.includes(mode)) return;
  const detail = `The mode ${JSON.stringify(mode)} is not allowed. Use one of ${askingModes.join(", ")}. For an agent that does not ask, use the policy "autonomous", which ends automatically and is always shown.`;
  throw new HubRefusal(422, "askless-mode", detail);
}
