import type { AskView } from "@signalbox/api";
import { inert } from "../text/visible.ts";
import { strings } from "../strings/strings.ts";

const text = strings.asks.outcomes;

/** Describes how an ask was closed and by whom, for people who come too late to answer. */
export function describeOutcome(ask: AskView): string {
  if (ask.status === "cancelled") return text.withdrawn;
  if (ask.status === "expired") return text.expired;
  const outcome = nameOutcome(ask);
  return ask.answeredBy === undefined ? outcome : text.by(outcome, inert(ask.answeredBy));
}

function nameOutcome(ask: AskView): string {
  switch (ask.decision?.behavior) {
    case "allow":
      if (ask.kind === "plan")
        return ask.decision.input === undefined ? text.approved : text.approvedWithChanges;
      return ask.decision.input === undefined ? text.allowed : text.allowedWithChanges;
    case "deny":
      if (ask.kind === "plan") return text.changesRequested;
      return ask.decision.stop ? text.deniedAndStopped : text.denied;
    default:
      return text.answered;
  }
}
