import type { JsonObject } from "@signalbox/protocol/wire";
import type { OutgoingMessage } from "@signalbox/agent";
import type { AgentDefinition } from "../commands/agents.ts";
import { getEffort } from "../model/effort.ts";
import type { Session } from "../session.ts";
import { askCallback } from "./callback.ts";
import { matches } from "./matcher.ts";
import { type HookResult, type HookOutcome, mergeAnswers } from "./outcome.ts";
import { getHooks, hooksOfKind, removeDuplicates, type SettingsHook } from "./settings-hooks.ts";

export interface HookRun {
  /** What matchers are compared with: the name of a tool, `startup`, `manual`. */
  readonly subject?: string;
  readonly toolUseId?: string;
  readonly signal?: AbortSignal;
  /** The event is outside of any request to the model. */
  readonly isOutside?: boolean;
  /** Sends messages, if something else has to be sent first. */
  readonly say?: (message: OutgoingMessage) => void;
  /** The subagent to which the event belongs. */
  readonly agent?: { readonly id: string; readonly type: string; readonly judges?: boolean };
}
const withoutBoth =
  "SessionStart SessionEnd PreCompact PostCompact SubagentStart Notification TaskCreated TaskCompleted CwdChanged MessageDisplay Elicitation ElicitationResult".split(
    " ",
  );
const withoutMode = new Set([...withoutBoth, "StopFailure", "InstructionsLoaded"]);
const withoutEffort = new Set([...withoutBoth, "UserPromptSubmit", "UserPromptExpansion"]);

/** Runs the hooks of settings and the callbacks of the host, all of one event in parallel. */
export class Hooks {
  readonly #session: () => Session;

  constructor(session: () => Session) {
    this.#session = session;
  }

  /** Whether there are hooks for an event, perhaps only of one kind of subagent. */
  has(event: string): boolean {
    const { hostHooks, agents } = this.#session();
    const isOfKind = ({ hooks }: AgentDefinition) => hooks !== undefined && event in hooks;
    return (
      this.#own(event).length > 0 || (hostHooks[event]?.length ?? 0) > 0 || agents.some(isOfKind)
    );
  }

  /** Whether settings files have hooks for an event, apart from the host's. */
  hasOwn(event: string): boolean {
    return this.#own(event).length > 0;
  }

  /** Loads the module that runs hooks, if there are any for the event. */
  async load(event: string): Promise<typeof import("./run-hook.ts") | undefined> {
    return this.hasOwn(event) ? import("./run-hook.ts") : undefined;
  }

  async run(event: string, details: JsonObject, run: HookRun = {}): Promise<HookOutcome> {
    const session = this.#session();
    const { subject, toolUseId, signal } = run;
    if (run.agent?.judges) return mergeAnswers([]);
    const own = removeDuplicates(
      this.#own(event, run.agent).filter(({ matcher }) => matches(matcher, subject)),
    );
    const callbacks = (session.hostHooks[event] ?? []).filter(({ matcher }) =>
      matches(matcher ?? undefined, subject),
    );
    if (own.length === 0 && callbacks.length === 0) return mergeAnswers([]);
    const input = this.#input(event, details, run);
    const call = { session, event, subject, toolUseId, input, signal };
    // The module that runs hooks is only loaded if there are any.
    const runner = own.length > 0 ? await import("./run-hook.ts") : undefined;
    return mergeAnswers(
      await Promise.all([
        ...(runner?.runSettingsHooks(call, own) ?? []),
        ...callbacks.flatMap((matcher) =>
          matcher.hookCallbackIds.map(async (id): Promise<HookResult> => {
            const answer = await askCallback(session, id, matcher, { name: event, input, ...run });
            return { ...answer, failed: false };
          }),
        ),
      ]),
    );
  }

  /** Returns the hooks of the settings. HTTP hooks do not run at the start of a session. */
  #own(event: string, agent?: HookRun["agent"]): SettingsHook[] {
    const { settings, agents, mainAgent, context } = this.#session();
    const kind = agent ? agents.find(({ type }) => type === agent.type) : mainAgent;
    const place = { root: context.folder, isSubagent: agent !== undefined };
    const ofKind = kind?.hooks ? hooksOfKind(settings, kind.hooks, event, place) : [];
    const all = [...getHooks(settings, event), ...ofKind];
    return event === "SessionStart" ? all.filter(({ kind }) => kind !== "http") : all;
  }

  #input(event: string, details: JsonObject, { agent, isOutside }: HookRun): JsonObject {
    const session = this.#session();
    const { context, promptId, permission, shellFolder, mainAgent } = session;
    const effort = isOutside || withoutEffort.has(event) ? undefined : getEffort(session);
    return {
      session_id: context.sessionId,
      transcript_path: context.transcriptPath,
      cwd: shellFolder,
      ...(promptId === "" ? {} : { prompt_id: promptId }),
      ...(withoutMode.has(event) ? {} : { permission_mode: permission.mode }),
      ...(agent ? { agent_id: agent.id } : {}),
      ...given("agent_type", agent?.type ?? mainAgent?.type),
      ...(effort ? { effort: { level: effort } } : {}),
      hook_event_name: event,
      ...details,
    };
  }
}

const given = (name: string, value: string | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };
