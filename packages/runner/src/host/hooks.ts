import { type AgentRequest, type Asked, isObject } from "@signalbox/protocol";
import { isOlder } from "../drivers/stdio/version.ts";
import { type Ask, type Decision, forPersons, toolAsk } from "./ask.ts";
import type { PolicyRules } from "./policy.ts";
import { uncommittedChanges } from "./stop-check.ts";

/** What a hook is told, as the agent says it. */
export type HookInput = AgentRequest<"hook_callback">["input"];
/** What a hook answers, as the agent understands it; `{}` has no opinion. */
export type HookOutput = Readonly<Record<string, unknown>>;

export interface Hook {
  readonly event: string;
  /** A pattern of tool names; absent: every tool. */
  readonly matcher?: string;
  readonly timeoutSeconds?: number;
  readonly run: (input: HookInput, asked: Asked) => HookOutput | Promise<HookOutput>;
}

/** A person may take weeks; the agent counts in milliseconds and 31 bits. */
const PATIENCE_SECONDS = 2_000_000;

/**
 * Up to 2.1.80 a hook that answers "ask" is overruled by an allow rule of the user's settings; from
 * 2.1.100 it holds. On the older ones the hook itself asks, and answers for good.
 */
const HOOK_ASK_HOLDS = "2.1.100";

export interface HookSetting {
  readonly folder: string;
  readonly agentVersion: string;
  readonly decide: (ask: Ask, signal: AbortSignal) => Promise<Decision>;
}

/** The hooks that make a policy hold. */
export function policyHooks({ mustAsk, checksStop }: PolicyRules, setting: HookSetting): Hook[] {
  const hooks: Hook[] = [
    {
      event: "PreToolUse",
      matcher: forPersons.join("|"),
      timeoutSeconds: PATIENCE_SECONDS,
      // Whatever mode or rule would let it pass: this is for a person.
      run: () => askFirst("A person decides this."),
    },
  ];
  if (mustAsk) {
    const holds = !isOlder(setting.agentVersion, HOOK_ASK_HOLDS);
    hooks.push({
      event: "PreToolUse",
      // No matcher: the decision is ours, by name, not a pattern's that versions read differently.
      timeoutSeconds: PATIENCE_SECONDS,
      run: (input, asked) => {
        const tool = String(input.tool_name);
        if (!mustAsk(tool) || forPersons.includes(tool)) return {};
        return holds ? askFirst("This session is supervised.") : askHere(input, asked, setting);
      },
    });
  }
  if (checksStop) {
    const { folder } = setting;
    hooks.push({ event: "Stop", timeoutSeconds: 60, run: (input) => stopAnswer(input, folder) });
  }
  return hooks;
}

/** Puts a tool call to a person from within the hook, and answers what was decided. */
async function askHere(
  input: HookInput,
  asked: Asked,
  { decide }: HookSetting,
): Promise<HookOutput> {
  const ask = toolAsk(asked.requestId, {
    subtype: "can_use_tool",
    tool_name: String(input.tool_name),
    input: isObject(input["tool_input"]) ? input["tool_input"] : {},
    ...(typeof input["tool_use_id"] === "string" && { tool_use_id: input["tool_use_id"] }),
    ...(typeof input["agent_id"] === "string" && { agent_id: input["agent_id"] }),
    decision_reason: "This session is supervised.",
    decision_reason_type: "hook",
  });
  const decision = await decide(ask, asked.signal);
  const common = { hookEventName: "PreToolUse" };
  if (decision.behavior === "allow") {
    const updatedInput = decision.input && { updatedInput: decision.input };
    return { hookSpecificOutput: { ...common, permissionDecision: "allow", ...updatedInput } };
  }
  const reason = decision.behavior === "deny" ? decision.message : "This was not allowed.";
  const stop = decision.behavior === "deny" && decision.stop === true;
  return {
    ...(stop && { continue: false, stopReason: reason }),
    hookSpecificOutput: { ...common, permissionDecision: "deny", permissionDecisionReason: reason },
  };
}

export function askFirst(reason: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: reason,
    },
  };
}

async function stopAnswer(input: HookInput, folder: string): Promise<HookOutput> {
  if (input["stop_hook_active"] === true) return {}; // held once already
  const cwd = typeof input["cwd"] === "string" ? input["cwd"] : folder;
  const changed = await uncommittedChanges(cwd);
  if (changed.length === 0) return {};
  const named = changed.slice(0, 20).join(", ");
  const more = changed.length > 20 ? ` and ${changed.length - 20} more` : "";
  return {
    decision: "block",
    reason: `There are uncommitted changes: ${named}${more}. Commit them, or say why they should stay as they are.`,
  };
}

/** Hooks as `initialize` wants them, and by the id under which the agent calls them back. */
export class HookTable {
  readonly #hooks = new Map<string, Hook>();

  constructor(hooks: readonly Hook[]) {
    for (const [index, hook] of hooks.entries()) this.#hooks.set(`signalbox_${index}`, hook);
  }

  /** For `initialize`; undefined when there are none. */
  get registration(): Record<string, object[]> | undefined {
    const byEvent: Record<string, object[]> = {};
    for (const [id, { event, matcher, timeoutSeconds }] of this.#hooks) {
      (byEvent[event] ??= []).push({
        ...(matcher !== undefined && { matcher }),
        hookCallbackIds: [id],
        ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }),
        ...(event === "PreToolUse" && { onFailure: "block" }), // versions that know it fail closed
      });
    }
    return this.#hooks.size > 0 ? byEvent : undefined;
  }

  /** Runs a hook. One that fails before a tool call never lets the call pass unasked. */
  async run(request: AgentRequest<"hook_callback">, asked: Asked): Promise<HookOutput> {
    const hook = this.#hooks.get(request.callback_id);
    if (!hook) throw new Error(`no hook is called ${request.callback_id}`);
    try {
      const output = await hook.run(request.input, asked);
      return isObject(output) ? output : {};
    } catch (failure) {
      if (hook.event !== "PreToolUse") throw failure;
      const why = failure instanceof Error ? failure.message : String(failure);
      return askFirst(`a hook failed: ${why}`);
    }
  }
}
