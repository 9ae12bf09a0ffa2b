import { setImmediate as nextTurn } from "node:timers/promises";
import { type Ask, type Decision, decisionShape } from "../host/ask.ts";
import type { NoteFields, RunLog } from "../link/ledger.ts";
import type { OrderOf } from "../link/frames.ts";
import { Refused } from "./refused.ts";

/** What an agent waits for a person to decide, told to the hub as notes. */
export class OpenAsks {
  readonly #log: RunLog;
  readonly #waiting = new Map<string, (decision: Decision) => void>();

  constructor(log: RunLog) {
    this.#log = log;
  }

  /** For the host: settles when the hub sends a decision, or the agent no longer wants one. */
  readonly ask = (ask: Ask, signal: AbortSignal): Promise<Decision> => {
    const { requestId } = ask;
    this.#log.note("ask_opened", opened(ask));
    return new Promise((resolve) => {
      const withdraw = () => {
        if (!this.#waiting.delete(requestId)) return;
        this.#log.note("ask_closed", { requestId, how: "withdrawn" });
        resolve({ behavior: "deny", message: "It was withdrawn." });
      };
      this.#waiting.set(requestId, (decision) => {
        signal.removeEventListener("abort", withdraw);
        resolve(decision);
      });
      signal.addEventListener("abort", withdraw, { once: true });
      if (signal.aborted) withdraw();
    });
  };

  async decide({ requestId, decision, by, how }: OrderOf<"decide">): Promise<void> {
    const read = decisionShape.safeParse(decision);
    if (!read.success)
      throw new Refused("bad-decision", "The decision has a shape we do not know.");
    const settle = this.#waiting.get(requestId);
    if (!settle) {
      throw new Refused("ask-closed", "The agent does not wait for this any more.");
    }
    this.#waiting.delete(requestId);
    const decided = read.data as Decision;
    settle(decided);
    await nextTurn(); // the answer is on its way to the agent by then, and stands before the note
    const message = "message" in decided ? { message: decided.message } : {};
    this.#log.note("ask_closed", { requestId, how, by, behavior: decided.behavior, ...message });
  }
}

function opened(ask: Ask): NoteFields<"ask_opened"> {
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
