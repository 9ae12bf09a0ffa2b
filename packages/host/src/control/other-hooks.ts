import { type Decoded, parseObject, type SystemMessage } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { delayWhileAwake } from "../system/awake.ts";

/** The opinion of another hook about a tool call. */
export interface HookVerdict {
  readonly wants: "ask" | "deny";
  readonly reason: string;
}

/**
 * Hooks run in parallel. Our hook, which asks the person, waits this long for the output of others.
 */
const PATIENCE_MS = 10_000;
/** How many hooks are remembered whose call our hook never received. */
const MAX_UNCLAIMED = 100;

interface OtherHook {
  readonly id: string;
  readonly name: string;
  readonly verdict: PromiseWithResolvers<HookVerdict | undefined>;
}

/**
 * Follows the hooks of the user's settings that run in parallel to ours, so that the person sees
 * why one of them asks for a confirmation. The agent does not report which call a hook runs for; on
 * 2.1.325 the other hooks of a call are reported directly before ours is called. 2.1.7 does not
 * report them.
 */
export class OtherHooks {
  readonly #running = new Map<string, OtherHook>();
  #unclaimed: OtherHook[] = [];

  onLine(line: Decoded): void {
    if (line.kind !== "known" || line.message.type !== "system") return;
    const { message } = line;
    if (message.subtype === "hook_started") this.#begin(message);
    else if (message.subtype === "hook_response") this.#end(message);
  }

  /** Resolves with the verdicts of the other hooks of the call that our hook has just received. */
  async verdictFor(tool: string): Promise<HookVerdict[]> {
    const hooksOfTool = this.#unclaimed.filter(({ name }) => name === getHookName(tool));
    this.#unclaimed = this.#unclaimed.filter((hook) => !hooksOfTool.includes(hook));
    const verdicts: HookVerdict[] = [];
    const all = hooksOfTool.map(async ({ verdict: spoke }) => {
      const words = await spoke.promise;
      if (words) verdicts.push(words);
    });
    if (all.length === 0) return verdicts;
    const enough = new AbortController();
    const late = delayWhileAwake(PATIENCE_MS, enough.signal).catch(() => {});
    await Promise.race([Promise.all(all), late]);
    enough.abort();
    return [...verdicts];
  }

  #begin({ hook_id: id, hook_name: name, hook_event }: SystemMessage<"hook_started">): void {
    if (hook_event !== "PreToolUse" || id === undefined) return;
    const hook = { id, name, verdict: Promise.withResolvers<HookVerdict | undefined>() };
    this.#running.set(id, hook);
    this.#unclaimed = [...this.#unclaimed, hook].slice(-MAX_UNCLAIMED);
  }

  #end(message: SystemMessage<"hook_response">): void {
    const id = message.hook_id ?? "";
    this.#running.get(id)?.verdict.resolve(readHookVerdict(message));
    this.#running.delete(id);
  }
}

function getHookName(tool: string): string {
  return `PreToolUse:${tool}`;
}

/** Returns the verdict in a hook's output, or undefined if it does not object. */
function readHookVerdict(message: SystemMessage<"hook_response">): HookVerdict | undefined {
  const { stdout = "", stderr = "", exit_code } = message;
  if (exit_code === 2) return { wants: "deny", reason: stderr.trim() };
  const hookOutput = parseObject(stdout);
  if (typeof hookOutput === "string") return undefined;
  const { hookSpecificOutput: output, decision, reason } = hookOutput;
  if (decision === "block") return { wants: "deny", reason: toVerdict(reason) };
  if (!isObject(output)) return undefined;
  const { permissionDecision: wants, permissionDecisionReason: why } = output;
  return wants === "ask" || wants === "deny" ? { wants, reason: toVerdict(why) } : undefined;
}

function toVerdict(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Describes the verdict for the person who is asked. */
export function describeHookVerdict({ wants, reason }: HookVerdict): string {
  const what = wants === "ask" ? "A hook wants this asked" : "A hook denies it in any case";
  return reason === "" ? `${what}.` : `${what}: ${reason}`;
}
