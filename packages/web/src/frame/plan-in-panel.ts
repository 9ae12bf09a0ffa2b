import { signal } from "../store/signal.ts";

/** The request whose plan the panel beside the conversation shows at the moment. */
export const planInPanel = signal<string | undefined>(undefined);

/** The plans that the person closed or left for another tab: they do not open by themselves again. */
const closedPlans = new Set<string>();

/** Opens a plan in the panel, unless the person has closed it before. */
export function openPlanOnce(ask: string): void {
  if (!closedPlans.has(ask)) planInPanel.set(ask);
}

export function showPlanInPanel(ask: string): void {
  closedPlans.delete(ask);
  planInPanel.set(ask);
}

/** Closes the plan that is shown. Returns whether there was one. */
export function closePlan(): boolean {
  const ask = planInPanel.get();
  if (ask === undefined) return false;
  closedPlans.add(ask);
  planInPanel.set(undefined);
  return true;
}
