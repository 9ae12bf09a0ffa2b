import { strings } from "../strings/strings.ts";

const NO_PLAN = strings.asks.noPlan;

/** The text of the plan, or a note that there is none. */
export function getPlanText(input: Readonly<Record<string, unknown>>): string {
  const { plan } = input;
  if (typeof plan === "string" && plan.trim() !== "") return plan;
  const rest = Object.entries(input).filter(([name]) => name !== "plan");
  if (rest.length === 0) return NO_PLAN;
  return `${NO_PLAN}\n\n${JSON.stringify(Object.fromEntries(rest), null, 2)}`;
}
