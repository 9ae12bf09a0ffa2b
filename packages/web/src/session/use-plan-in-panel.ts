import type { AskView } from "@signalbox/api";
import { useEffect } from "react";
import { openPlanOnce, planInPanel } from "../frame/plan-in-panel.ts";
import { useSignal } from "../store/signal.ts";
import { useAsks, useMayDecide } from "../store/use-hub.ts";

/**
 * The plan of this session that waits for an answer and is read in the panel, if there is one beside the
 * conversation and the device may answer. It opens the panel by itself once.
 */
export function usePlanInPanel(
  session: string,
  isBeside: boolean,
): { readonly plan: AskView | undefined; readonly isShown: boolean } {
  const asks = useAsks();
  const mayDecide = useMayDecide();
  const shown = useSignal(planInPanel);
  const plans = asks.filter((ask) => ask.session === session && ask.kind === "plan");
  const plan =
    isBeside && mayDecide ? (plans.find((ask) => ask.id === shown) ?? plans[0]) : undefined;
  const id = plan?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    openPlanOnce(id);
    return () => planInPanel.set(undefined);
  }, [id]);
  return { plan, isShown: plan !== undefined && shown === plan.id };
}
