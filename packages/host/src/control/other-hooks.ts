import { type Decoded, parseObject, type SystemMessage } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { delayWhileAwake } from "../system/awake.ts";

/** What a hook that is not ours said about a tool call. */
export interface HookVerdict {
  readonly wants: "ask" | "deny";
  readonly reason: string;
}

/** Hooks run side by side. Ours, which asks the person, waits this long for what others say. */
const PATIENCE_MS = 10_000;
/** Hooks whose call was never put to us. */
const MAX_UNCLAIMED = 100;

interface OtherHook {
  readonly id: string;
  readonly name: string;
  readonly spoke: PromiseWithResolvers<HookVerdict | undefined>;
}

/**
 * The hooks of the user's settings that run beside ours, so that the person who is asked reads why one of
 * them wants it asked. The agent does not say which call a hook runs for; on 2.1.325 a call's other hooks
 * are told of directly before ours is called. 2.1.7 says nothing about them.
 */
export class OtherHooks {
  readonly #running = new Map<string, OtherHook>();
  #unclaimed: OtherHook[] = [];

  hear(line: Decoded): void {
    if (line.kind !== "known" || line.message.type !== "system") return;
    const { message } = line;
    if (message.subtype === "hook_started") this.#begin(message);
    else if (message.subtype === "hook_response") this.#end(message);
  }

  /** What the hooks of the call that was just put to us say, as soon as they do. */
  async verdictFor(tool: string): Promise<HookVerdict[]> {
    const beside = this.#unclaimed.filter(({ name }) => name === nameFor(tool));
    this.#unclaimed = this.#unclaimed.filter((hook) => !beside.includes(hook));
    const verdicts: HookVerdict[] = [];
    const all = beside.map(async ({ spoke }) => {
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
    const hook = { id, name, spoke: Promise.withResolvers<HookVerdict | undefined>() };
    this.#running.set(id, hook);
    this.#unclaimed = [...this.#unclaimed, hook].slice(-MAX_UNCLAIMED);
  }

  #end(message: SystemMessage<"hook_response">): void {
    const id = message.hook_id ?? "";
    this.#running.get(id)?.spoke.resolve(readHookVerdict(message));
    this.#running.delete(id);
  }
}

function nameFor(tool: string): string {
  return `PreToolUse:${tool}`;
}

/** Undefined: it has nothing against the call. */
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

/** For the person who is asked. */
export function describeHookVerdict({ wants, reason }: HookVerdict): string {
  const what = wants === "ask" ? "A hook wants this asked" : "A hook denies it in any case";
  return reason === "" ? `${what}.` : `${what}: ${reason}`;
}
