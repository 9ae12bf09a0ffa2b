import { requireAskingMode } from "./asking-mode.ts";
import type { AskView, HubDecision, PolicyName, SessionDefaults } from "@signalbox/api";
import type { LogMarker } from "@signalbox/protocol";
import {
  hashAsk,
  createAskId,
  toAgentDecision,
  getSuggestion,
  InvalidDecision,
} from "@signalbox/runner/asks";
import { type Decision } from "@signalbox/host";
import { HubRefusal } from "../refusal.ts";

/** How long an ask waits for an answer, and what happens then. */
export type AskLimit = NonNullable<SessionDefaults["askLimit"]>;

interface AskContext {
  readonly session: string;
  readonly run: string;
  readonly folder: string;
  readonly at: number;
  readonly limit: AskLimit | undefined;
  readonly subagent?: AskView["subagent"];
}

/** Creates the ask that a marker of the runner opens. */
export function createAsk(note: LogMarker<"ask_opened">, source: AskContext): AskView {
  const { requestId, kind, title, tool, callId, agentId, reason, blockedPath, input, suggestions } =
    note;
  const { session, run, folder, at, limit, subagent } = source;
  return {
    id: createAskId(session, run, requestId),
    session,
    run,
    requestId,
    kind,
    title,
    ...(tool !== undefined && { tool }),
    ...(callId !== undefined && { callId }),
    ...(agentId !== undefined && { agentId }),
    ...(subagent && { subagent }),
    ...(reason !== undefined && { reason }),
    ...(blockedPath !== undefined && { blockedPath }),
    input,
    hash: hashAsk(session, tool ?? kind, input, folder),
    suggestions,
    openedAt: at,
    ...(limit && { expiresAt: at + limit.minutes * 60_000 }),
    ...(limit?.onTimeout === "deny-and-stop" && { stopsAtExpiry: true }),
    status: "open",
  };
}

/** The decision in the form that the runner expects. A decision that does not fit the ask is refused. */
export function toRunnerDecision(ask: AskView, decision: HubDecision): Decision {
  try {
    const { remember = [] } = decision.behavior === "allow" ? decision : {};
    for (const place of remember) {
      const suggestion = getSuggestion(ask, place);
      if (suggestion.type === "setMode") requireAskingMode(suggestion["mode"] ?? null);
    }
    return toAgentDecision(ask, decision);
  } catch (failure) {
    if (failure instanceof InvalidDecision) {
      throw new HubRefusal(422, failure.code, failure.message);
    }
    throw failure;
  }
}

/**
 * Refuses to approve a plan into a mode that changes files without asking when the policy asks about
 * everything but reading.
 */
export function refuseModeUnderPolicy(policy: PolicyName, decision: HubDecision): void {
  if (policy !== "supervised" || decision.behavior !== "allow") return;
  if (decision.mode !== "acceptEdits") return;
  const detail =
    'This session is under the policy "supervised", which asks for everything but reading. Approve the plan in the mode "default", or change the policy first.';
  throw new HubRefusal(422, "policy-forbids", detail);
}
