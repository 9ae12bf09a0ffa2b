import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Decoded, parseObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { personOnlyTools } from "./ask.ts";
import type { Hook, HookInput } from "./hooks.ts";
import { isReadOnlyTool, type PolicyRules } from "./policy.ts";

/** A call that did not run as a person could expect. */
export interface UnexpectedCall {
  readonly callId: string;
  readonly tool: string;
  /** `unasked`: nobody was asked. `changed`: the call ran with an input that was not shown. */
  readonly how: "unasked" | "changed";
  readonly text: string;
  /** The input with which the call ran, as JSON, if it differs from the shown one. */
  readonly ran?: string;
}

export interface CallCheckOptions {
  /** Whether hooks that are not ours may allow or rewrite calls. Called when the agent starts. */
  readonly isNeeded: () => boolean;
  readonly onUnexpectedCall: (call: UnexpectedCall) => void;
}

const MAX_CALLS = 1000;
const RAN_CHARACTERS = 10_000;

interface Call {
  /** The input that the conversation shows. */
  readonly shown?: unknown;
  /** The input as edited by the person who allowed the call. */
  readonly edited?: unknown;
  readonly asked?: true;
}

/**
 * Compares how calls ran with what was shown and asked. Hooks of the user's settings, or of a
 * trusted repository, may allow a call in the person's place or change its input; the agent reports
 * neither in the conversation. A PostToolUse hook receives what really ran (seen on 2.1.7 and
 * 2.1.325).
 */
export class CallCheck {
  readonly #options: Pick<CallCheckOptions, "onUnexpectedCall">;
  readonly #rules: () => PolicyRules;
  readonly #folder: string;
  /** Whether the agent reports other hooks; 2.1.7 does not. */
  readonly #tellsHooks: boolean;
  readonly #calls = new Map<string, Call>();
  /** The tools of calls that a hook has allowed and that have not run yet, one entry per call. */
  #allowed: string[] = [];

  constructor(
    options: Pick<CallCheckOptions, "onUnexpectedCall">,
    about: { rules: () => PolicyRules; folder: string; tellsHooks: boolean },
  ) {
    this.#options = options;
    this.#rules = about.rules;
    this.#folder = about.folder;
    this.#tellsHooks = about.tellsHooks;
  }

  get hooks(): Hook[] {
    const run = (input: HookInput) => {
      this.#ran(input);
      return {};
    };
    return ["PostToolUse", "PostToolUseFailure"].map((event) => ({
      event,
      timeoutSeconds: 60,
      run,
    }));
  }

  onLine(line: Decoded): void {
    if (line.kind !== "known") return;
    const { message } = line;
    if (message.type === "assistant") {
      for (const block of message.message.content) {
        if (typeof block === "string" || block.type !== "tool_use") continue;
        if (typeof block["id"] !== "string") continue;
        this.#rememberCall(block["id"], { shown: block["input"] });
      }
    } else if (message.type === "system" && message.subtype === "hook_response") {
      const tool = allowedTool(message);
      if (tool !== undefined) this.#allowed = [...this.#allowed, tool].slice(-MAX_CALLS);
    }
  }

  /** Records that a person allowed a call, perhaps with another input. */
  asked(callId: string | undefined, edited: unknown): void {
    if (callId === undefined) return;
    this.#rememberCall(callId, { asked: true, ...(edited !== undefined && { edited }) });
  }

  #rememberCall(id: string, news: Call): void {
    this.#calls.set(id, { ...this.#calls.get(id), ...news });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > MAX_CALLS && !oldest.done) this.#calls.delete(oldest.value);
  }

  #ran(input: HookInput): void {
    const { tool_name: tool, tool_use_id: callId, tool_input: ran, cwd } = input;
    if (typeof tool !== "string" || typeof callId !== "string") return;
    const call = this.#calls.get(callId) ?? {};
    this.#calls.delete(callId);
    const byHook = this.#claimAllowed(tool);
    if (personOnlyTools.includes(tool)) return; // the input includes the answers
    const expected = "edited" in call ? call.edited : call.shown;
    const at = typeof cwd === "string" ? cwd : this.#folder;
    if (expected !== undefined && !isSameInput(expected, ran, at)) {
      const text = `A hook changed this call: it ran with another input than the one shown here${call.asked ? "" : ", and nobody was asked"}.`;
      const whole = JSON.stringify(ran) ?? "";
      const cut = whole.length > RAN_CHARACTERS;
      const shown = cut ? `${whole.slice(0, RAN_CHARACTERS)}… (${whole.length} characters)` : whole;
      return this.#options.onUnexpectedCall({ callId, tool, how: "changed", text, ran: shown });
    }
    if (call.asked) return;
    const why = this.#explainUnaskedCall(tool, byHook);
    if (why !== undefined)
      this.#options.onUnexpectedCall({ callId, tool, how: "unasked", text: why });
  }

  /**
   * Returns why a call without a question should not have run, or undefined if it was allowed to.
   */
  #explainUnaskedCall(tool: string, byHook: boolean): string | undefined {
    const { mustAsk, decide, permissionMode } = this.#rules();
    if (decide) return undefined; // this policy asks about nothing
    if (mustAsk?.(tool))
      return "It ran without a request, although this session asks for everything.";
    if (byHook) return "A hook allowed this call: nobody was asked.";
    const mayEdit = permissionMode === "acceptEdits" && /Edit$|^Write$/.test(tool);
    if (this.#tellsHooks || isReadOnlyTool(tool) || mayEdit) return undefined;
    return "It ran without a request. A hook of the settings may have allowed it; this version of the agent does not say.";
  }

  #claimAllowed(tool: string): boolean {
    const place = this.#allowed.indexOf(tool);
    if (place < 0) return false;
    this.#allowed = this.#allowed.toSpliced(place, 1);
    return true;
  }
}

/** Returns the tool of a call that a hook has just allowed in the person's place. */
function allowedTool(message: {
  readonly hook_name?: string | undefined;
  readonly stdout?: string | undefined;
}): string | undefined {
  const [event, tool] = message.hook_name?.split(":", 2) ?? [];
  if (event !== "PreToolUse" && event !== "PermissionRequest") return undefined;
  const hookOutput = parseObject(message.stdout ?? "");
  if (typeof hookOutput === "string") return undefined;
  const output = isObject(hookOutput["hookSpecificOutput"]) ? hookOutput["hookSpecificOutput"] : {};
  const decision = isObject(output["decision"]) ? output["decision"]["behavior"] : undefined;
  const words = [hookOutput["decision"], output["permissionDecision"], decision];
  return words.some((word) => word === "allow" || word === "approve") ? tool : undefined;
}

/**
 * Whether a call ran with the shown input. The agent completes inputs before it runs them: it makes
 * paths absolute and adds fields that are false.
 */
export function isSameInput(shown: unknown, ran: unknown, folder: string): boolean {
  if (!isObject(shown) || !isObject(ran)) return isDeepStrictEqual(shown, ran);
  const names = new Set([...Object.keys(shown), ...Object.keys(ran)]);
  return [...names].every((name) => {
    const [before, after] = [shown[name], ran[name]];
    if (isDeepStrictEqual(before, after)) return true;
    if (isEmptyValue(before) && isEmptyValue(after)) return true;
    if (isPlain(before) && isPlain(after) && String(before) === String(after)) return true;
    if (typeof before !== "string" || typeof after !== "string") return false;
    return /path|file|folder|director/i.test(name) && fullPath(before, folder) === after;
  });
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === "";
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function fullPath(path: string, folder: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
}
