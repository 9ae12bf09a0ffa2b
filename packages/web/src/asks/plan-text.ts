import { strings } from "../strings/strings.ts";

/** Whether the request came with a plan. */
export function hasPlan({ plan }: Readonly<Record<string, unknown>>): boolean {
  return typeof plan === "string" && plan.trim() !== "";
}

/** The text of the plan, or a note that there is none. */
export function getPlanText(input: Readonly<Record<string, unknown>>): string {
  if (hasPlan(input)) return String(input["plan"]);
  const note = strings.asks.noPlan;
  const rest = Object.entries(input).filter(([name]) => name !== "plan");
  if (rest.length === 0) return note;
  return `${note}\n\n${JSON.stringify(Object.fromEntries(rest), null, 2)}`;
}
