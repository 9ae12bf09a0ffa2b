import { agentDecision } from "@signalbox/api/schemas";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ask, Decision, TerminalAnswer } from "@signalbox/host";
import { hashAsk, createAskId } from "../asks/ask-identity.ts";
import { type DecidableAsk, toAgentDecision } from "../asks/person-decision.ts";
import type { LogMarkerFields, RunLog } from "../link/line-buffer.ts";
import type { OrderOfKind } from "@signalbox/api/link";
import type { Approvers } from "./approvers.ts";
import { OrderError } from "./order-error.ts";

/** The origin of an ask, from which its id and hash are derived. */
interface AskOrigin {
  readonly session: string;
  readonly run: string;
  readonly folder: string;
}

type OpenedAsk = LogMarkerFields<"ask_opened"> & DecidableAsk & { readonly tool?: string };

interface PendingAsk {
  readonly opened: OpenedAsk;
  readonly settle: (decision: Decision) => void;
}

/** The open asks of an agent, which are reported to the hub as log markers. */
export class OpenAsks {
  readonly #log: RunLog;
  readonly #origin: AskOrigin;
  readonly #approvers: Approvers | undefined;
  readonly #pending = new Map<string, PendingAsk>();

  /** Without approvers, decisions of the hub need no signature, because the runner is a part of the hub. */
  constructor(log: RunLog, origin: AskOrigin, approvers: Approvers | undefined) {
    this.#log = log;
    this.#origin = origin;
    this.#approvers = approvers;
  }

  /** Callback for the host. Resolves when the hub sends a decision or the agent withdraws the ask. */
  readonly ask = (ask: Ask, signal: AbortSignal): Promise<Decision> => {
    const { requestId } = ask;
    const opened = toOpenedAsk(ask);
    this.#log.addMarker("ask_opened", opened);
    return new Promise((resolve) => {
      const withdraw = () => {
        if (!this.#pending.delete(requestId)) return;
        this.#log.addMarker("ask_closed", { requestId, how: "withdrawn" });
        resolve({ behavior: "deny", message: "The request was withdrawn." });
      };
      const settle = (decision: Decision) => {
        signal.removeEventListener("abort", withdraw);
        resolve(decision);
      };
      this.#pending.set(requestId, { opened, settle });
      signal.addEventListener("abort", withdraw, { once: true });
      if (signal.aborted) withdraw();
    });
  };

  /** A person has answered in the agent's own terminal. Returns false if the ask is closed already. */
  answeredInTerminal({ requestId, behavior, by }: TerminalAnswer): boolean {
    const waiting = this.#pending.get(requestId);
    if (!waiting) return false;
    this.#pending.delete(requestId);
    const { device, name = device } = by;
    this.#log.addMarker("ask_closed", { requestId, how: "answered", behavior, by: name, device });
    // The agent has its answer, so what it is told now does not count.
    waiting.settle({ behavior: "deny", message: "This was answered in the terminal." });
    return true;
  }

  async decide(order: OrderOfKind<"decide">): Promise<void> {
    const { requestId, by, how } = order;
    const waiting = this.#pending.get(requestId);
    if (!waiting) {
      throw new OrderError("ask-closed", "The agent is no longer waiting for this decision.");
    }
    const toAgent = this.#readDecision(order, waiting.opened);
    this.#pending.delete(requestId);
    waiting.settle(toAgent);
    await nextTurn(); // the answer has been sent and logged by then, so it precedes the marker
    const message = "message" in toAgent ? { message: toAgent.message } : {};
    this.#log.addMarker("ask_closed", {
      requestId,
      how,
      by,
      behavior: toAgent.behavior,
      ...message,
    });
  }

  /** Returns the decision for the agent. Everything except a denial needs a person's signature. */
  #readDecision(order: OrderOfKind<"decide">, opened: OpenedAsk): Decision {
    const { answer, signed, decision } = order;
    if (answer && signed && this.#approvers) {
      const { session, run, folder } = this.#origin;
      const id = createAskId(session, run, order.requestId);
      const hash = hashAsk(session, opened.tool ?? opened.kind, opened.input, folder);
      if (!this.#approvers.hasSigned({ id, hash, session }, answer, signed)) {
        throw new OrderError("not-signed", "This decision is not signed by an approver's device.");
      }
      return toAgentDecision(opened, answer);
    }
    const read = agentDecision.safeParse(decision);
    if (!read.success) {
      throw new OrderError(
        "bad-decision",
        "This version of the runner does not support this decision. Update the runner.",
      );
    }
    if (this.#approvers && read.data.behavior !== "deny") {
      throw new OrderError("not-signed", "This decision is not signed by an approver's device.");
    }
    return read.data;
  }
}

function toOpenedAsk(ask: Ask): OpenedAsk {
  const { requestId, kind, request } = ask;
  switch (kind) {
    case "elicitation":
      return { requestId, kind, title: ask.request.message, input: request, suggestions: [] };
    case "dialog":
      return { requestId, kind, title: ask.request.dialog_kind, input: request, suggestions: [] };
    default: {
      const { tool, input, suggestions, agentId } = ask;
      const { title, display_name, tool_use_id: callId, decision_reason: reason } = ask.request;
      const blockedPath = ask.request.blocked_path ?? ask.request.blocked_paths;
      return {
        requestId,
        kind,
        title: title ?? display_name ?? tool,
        tool,
        input,
        suggestions: [...suggestions],
        ...(callId !== undefined && { callId }),
        ...(agentId !== undefined && { agentId }),
        ...(typeof reason === "string" && { reason }),
        ...(typeof blockedPath === "string" && { blockedPath }),
      };
    }
  }
}
