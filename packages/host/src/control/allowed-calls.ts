import type { AgentRequest } from "@signalbox/protocol/control";
import { isDeepStrictEqual } from "node:util";
import type { Decision } from "./ask.ts";
import type { AllowedCall } from "./hooks.ts";

const MOST = 100;

/**
 * Calls that a person allowed in our hook, knowing that another hook asks for a confirmation. The
 * agent then asks again on behalf of that hook, although the person has already answered: the
 * repeated question is recognized by the same call, input and reason. A question that differs is
 * asked again.
 */
export class AllowedCalls {
  readonly #calls = new Map<string, AllowedCall>();

  add(call: AllowedCall): void {
    this.#calls.set(call.id, call);
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > MOST && !oldest.done) this.#calls.delete(oldest.value);
  }

  /** Each permission is used once. */
  take(request: AgentRequest<"can_use_tool">): Decision | undefined {
    const { tool_use_id: id, input, requires_user_interaction: person } = request;
    const call = this.#calls.get(id ?? "");
    if (!call) return undefined;
    this.#calls.delete(call.id);
    const byHook = request.decision_reason_type === "hook" && person !== true;
    const known = byHook && call.reasons.includes(request.decision_reason ?? "");
    return known && isDeepStrictEqual(input, call.input) ? { behavior: "allow" } : undefined;
  }
}
