import { errorMessage } from "@signalbox/protocol/text";
import type { AgentRequest } from "@signalbox/protocol/control";
import { type IncomingRequest, isObject } from "@signalbox/protocol/wire";
import { type Ask, type Decision, personOnlyTools, parseToolAsk } from "./ask.ts";
import { type HookVerdict, type OtherHooks, describeHookVerdict } from "./other-hooks.ts";
import type { PolicyRules } from "./policy.ts";
import { uncommittedChanges } from "./stop-check.ts";

/** The input of a hook, as the agent sends it. */
export type HookInput = AgentRequest<"hook_callback">["input"];
/** The output of a hook, as the agent expects it; `{}` means no opinion. */
export type HookOutput = Readonly<Record<string, unknown>>;

export interface Hook {
  readonly event: string;
  /** A pattern of tool names; undefined matches every tool. */
  readonly matcher?: string;
  readonly timeoutSeconds?: number;
  /**
   * Whether the hook is needed. Called when the agent starts; a hook that is not needed is not
   * registered.
   */
  readonly isNeeded?: () => boolean;
  readonly run: (input: HookInput, asked: IncomingRequest) => HookOutput | Promise<HookOutput>;
}

const OUR_HOOK_PREFIX = "signalbox_";
/**
 * The longest timeout, because a person may take weeks: the agent counts milliseconds in 31 bits.
 */
const MAX_TIMEOUT_SECONDS = 2_000_000;

export interface HookContext {
  readonly folder: string;
  readonly decide: (ask: Ask, signal: AbortSignal) => Promise<Decision>;
  readonly otherHooks: OtherHooks;
  /** Called with a call that a person allowed after reading what other hooks said about it. */
  readonly allowed: (call: AllowedCall) => void;
}

/** A tool call that a person allowed, knowing why other hooks asked for a confirmation. */
export interface AllowedCall {
  readonly id: string;
  readonly input: unknown;
  readonly reasons: readonly string[];
}

/** Creates the hooks that enforce a policy. They use the rules that apply when they are called. */
export function createPolicyHooks(rules: () => PolicyRules, context: HookContext): Hook[] {
  const hooks: Hook[] = [];
  const { mustAsk, checksStop } = rules();
  if (mustAsk) {
    hooks.push({
      event: "PreToolUse",
      // There is no matcher: versions interpret patterns differently, so the tool is checked by
      // name here.
      timeoutSeconds: MAX_TIMEOUT_SECONDS,
      run: (input, asked) => {
        const tool = String(input.tool_name);
        const otherVerdicts = context.otherHooks.verdictFor(tool);
        const isSupervised = rules().mustAsk?.(tool) ?? false;
        // the agent asks about those in any case
        const ours = isSupervised && !personOnlyTools.includes(tool);
        return ours
          ? askHost(input, asked, context, otherVerdicts, "This session is supervised.")
          : {};
      },
    });
  }
  if (checksStop) {
    const { folder } = context;
    hooks.push({
      event: "Stop",
      timeoutSeconds: 60,
      run: (input) => (rules().checksStop ? stopAnswer(input, folder) : {}),
    });
  }
  return hooks;
}

/**
 * Asks a person about a tool call inside the hook, and returns the decision. The alternative, the
 * hook output "ask", is not reliable: up to 2.1.80 an allow rule of the settings overrides it, and
 * on 2.1.325 a `PermissionRequest` hook of the repository may answer first.
 */
export async function askHost(
  input: HookInput,
  asked: IncomingRequest,
  { decide, allowed }: Pick<HookContext, "decide" | "allowed">,
  others: Promise<HookVerdict[]>,
  why: string,
): Promise<HookOutput> {
  const verdicts = await others;
  const ask = parseToolAsk(asked.requestId, {
    subtype: "can_use_tool",
    tool_name: String(input.tool_name),
    input: isObject(input["tool_input"]) ? input["tool_input"] : {},
    ...(typeof input["tool_use_id"] === "string" && { tool_use_id: input["tool_use_id"] }),
    ...(typeof input["agent_id"] === "string" && { agent_id: input["agent_id"] }),
    decision_reason: [why, ...verdicts.map(describeHookVerdict)].join("\n"),
    decision_reason_type: "hook",
  });
  const decision = await decide(ask, asked.signal);
  if (decision.behavior === "allow") {
    const id = input["tool_use_id"];
    const reasons = verdicts.filter(({ wants }) => wants === "ask").map(({ reason }) => reason);
    if (typeof id === "string" && reasons.length > 0)
      allowed({ id, input: decision.input ?? input["tool_input"], reasons });
    const updatedInput = decision.input && { updatedInput: decision.input };
    const output = { hookEventName: "PreToolUse", permissionDecision: "allow", ...updatedInput };
    return { hookSpecificOutput: output };
  }
  const reason = decision.behavior === "deny" ? decision.message : "This was not allowed.";
  const stop = decision.behavior === "deny" && decision.stop === true;
  return { ...(stop && { continue: false, stopReason: reason }), ...denyCall(reason) };
}

function denyCall(reason: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

async function stopAnswer(input: HookInput, folder: string): Promise<HookOutput> {
  if (input["stop_hook_active"] === true) return {}; // the agent was already stopped once
  if (input["permission_mode"] === "plan") return {}; // it may not commit before its plan is approved
  // the folder that the agent names could be any folder
  const changed = await uncommittedChanges(folder);
  if (changed.length === 0) return {};
  const named = changed.slice(0, 20).join(", ");
  const more = changed.length > 20 ? ` and ${changed.length - 20} more` : "";
  return {
    decision: "block",
    reason: `There are uncommitted changes: ${named}${more}. Commit them, or say why they should stay as they are.`,
  };
}

/** The hooks in the form for `initialize`, and by the id with which the agent calls them. */
export class HookTable {
  readonly #hooks = new Map<string, Hook>();
  readonly #onUnknownTool: Hook["run"];

  /** `onUnknownTool` handles a call of a hook that another host registered. */
  constructor(hooks: readonly Hook[], strange: Hook["run"]) {
    for (const [index, hook] of hooks.entries())
      this.#hooks.set(`${OUR_HOOK_PREFIX}${index}`, hook);
    this.#onUnknownTool = strange;
  }

  /** The hooks for `initialize`; undefined if there are none. */
  get registration(): Record<string, object[]> | undefined {
    const byEvent: Record<string, object[]> = {};
    for (const [id, { event, matcher, timeoutSeconds }] of this.#hooks) {
      (byEvent[event] ??= []).push({
        ...(matcher !== undefined && { matcher }),
        hookCallbackIds: [id],
        ...(timeoutSeconds !== undefined && { timeout: timeoutSeconds }),
        // versions that know this field deny the call if the hook fails
        ...(event === "PreToolUse" && { onFailure: "block" }),
      });
    }
    return this.#hooks.size > 0 ? byEvent : undefined;
  }

  /**
   * Runs a hook. Any failure before a tool call denies the call, because versions that do not know
   * `onFailure` would run the call after an error.
   */
  async run(request: AgentRequest<"hook_callback">, asked: IncomingRequest): Promise<HookOutput> {
    try {
      const output: unknown = await this.#hook(request)(request.input, asked);
      // a value that cannot be serialized fails here
      const plain: unknown = JSON.parse(JSON.stringify(output ?? {}));
      return isObject(plain) ? plain : {};
    } catch (failure) {
      if (request.input?.hook_event_name !== "PreToolUse") throw failure;
      return denyCall(
        `This was not allowed, because a check of it failed: ${errorMessage(failure)}`,
      );
    }
  }

  /** A hook of ours that is not registered here belongs to a policy that no longer applies. */
  #hook({ callback_id: id, input }: AgentRequest<"hook_callback">): Hook["run"] {
    const known = this.#hooks.get(id);
    const { hook_event_name: event = known?.event } = input;
    if (known && known.event === event) return known.run;
    return id.startsWith(OUR_HOOK_PREFIX) ? () => ({}) : this.#onUnknownTool;
  }
}
