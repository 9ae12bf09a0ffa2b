import type { AskView } from "@signalbox/api";
import { inert } from "../text/visible.ts";

/** Describes how an ask was closed and by whom, for people who come too late to answer. */
export function describeOutcome(ask: AskView): string {
  if (ask.status === "cancelled") return "withdrawn by the agent";
  if (ask.status === "expired") return "expired: nobody answered in time, and it was denied";
  const by = ask.answeredBy === undefined ? "" : ` by ${inert(ask.answeredBy)}`;
  switch (ask.decision?.behavior) {
    case "allow":
      if (ask.kind === "plan") return `approved${by}`;
      return ask.decision.input === undefined ? `allowed${by}` : `allowed with changes${by}`;
    case "deny":
      if (ask.kind === "plan") return `sent back${by}`;
      return ask.decision.stop ? `denied and stopped${by}` : `denied${by}`;
    default:
      return `answered${by}`;
  }
}
