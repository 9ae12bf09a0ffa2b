const NONE =
  "There is no plan to read: the request came without one, or its file is empty. What the agent means may stand in the conversation.";

/** The plan that is to be approved; without one, that there is none. */
export function planTextOf(input: Readonly<Record<string, unknown>>): string {
  const { plan } = input;
  if (typeof plan === "string" && plan.trim() !== "") return plan;
  const rest = Object.entries(input).filter(([name]) => name !== "plan");
  if (rest.length === 0) return NONE;
  return `${NONE}\n\n${JSON.stringify(Object.fromEntries(rest), null, 2)}`;
}
