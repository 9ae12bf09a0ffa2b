import type { JsonObject } from "@signalbox/protocol/wire";
import type { Outgoing } from "../../agent.ts";
import { effortOf } from "../model/effort.ts";
import type { Session } from "../session.ts";
import { isRecord } from "../tools/schema.ts";
import { readCommandAnswer } from "./answer.ts";
import { askCallback, type CallbackAnswer, type NoVerdict } from "./callback.ts";
import { runHookCommand } from "./command.ts";

export interface HookRun {
  /** What matchers are compared with: a tool's name, `startup`, `manual`. */
  readonly subject?: string;
  readonly toolUseId?: string;
  readonly signal?: AbortSignal;
  /** Where something else has to be said first. */
  readonly say?: (message: Outgoing) => void;
  /** A subagent's. */
  readonly agent?: { readonly id: string; readonly type: string };
}
/** All answers to one event, put together: the strictest counts. */
export interface HookOutcome {
  readonly blocked?: string;
  readonly inItsWords?: string;
  readonly permission?: {
    decision: "allow" | "deny" | "ask" | "defer";
    reason?: string;
    input?: JsonObject;
  };
  readonly decision?: JsonObject;
  readonly updatedInput?: JsonObject;
  readonly contexts: readonly string[];
  readonly stop?: string;
  /** Something went wrong or blocked: hosts show it. */
  readonly failed: boolean;
  /** Somebody should have spoken and did not. */
  readonly noVerdict?: NoVerdict;
  /** What ran: `callback`, or the command, and whether it answered in time. */
  readonly ran: readonly { readonly name: string; readonly isLate: boolean }[];
}

const DEFAULT_TIMEOUT_MS = 600_000;
const withoutMode = new Set(
  "SessionStart SessionEnd PreCompact SubagentStart Notification".split(" "),
);
const withoutEffort = new Set([...withoutMode, "UserPromptSubmit"]);

/** Runs hooks of settings (commands) and of the host (callbacks), all of one event side by side. */
export class Hooks {
  readonly #session: () => Session;

  constructor(session: () => Session) {
    this.#session = session;
  }

  has(event: string): boolean {
    return this.#commands(event).length > 0 || (this.#session().hostHooks[event]?.length ?? 0) > 0;
  }

  async run(event: string, details: JsonObject, run: HookRun = {}): Promise<HookOutcome> {
    const session = this.#session();
    const commands = this.#commands(event).filter(({ matcher }) => matches(matcher, run.subject));
    const callbacks = (session.hostHooks[event] ?? []).filter(({ matcher }) =>
      matches(matcher ?? undefined, run.subject),
    );
    if (commands.length === 0 && callbacks.length === 0) {
      return { contexts: [], failed: false, ran: [] };
    }
    const input = this.#input(event, details, run);
    const results = await Promise.all([
      ...commands.map((hook) => this.#command(event, hook, input, run)),
      ...callbacks.flatMap((matcher) =>
        matcher.hookCallbackIds.map(async (id): Promise<Answered> => {
          const answer = await askCallback(session, id, matcher, { name: event, input, ...run });
          return { ...answer, failed: false, name: "callback" };
        }),
      ),
    ]);
    return inSum(results);
  }

  #input(event: string, details: JsonObject, { agent }: HookRun): JsonObject {
    const session = this.#session();
    const { birth, promptId, permission, shellFolder, mainAgent } = session;
    const effort = withoutEffort.has(event) ? undefined : effortOf(session);
    return {
      session_id: birth.sessionId,
      transcript_path: birth.transcriptPath,
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

  #commands(event: string): { matcher: string | undefined; command: string; timeoutMs: number }[] {
    return this.#session().settings.files.flatMap(({ content }) => {
      const groups = isRecord(content["hooks"]) ? content["hooks"][event] : undefined;
      if (!Array.isArray(groups) || content["disableAllHooks"] === true) return [];
      return groups.filter(isRecord).flatMap(({ matcher, hooks }) =>
        (Array.isArray(hooks) ? hooks.filter(isRecord) : []).flatMap(
          ({ type, command, timeout }) => {
            if (type !== "command" || typeof command !== "string") return [];
            const timeoutMs = typeof timeout === "number" ? timeout * 1000 : DEFAULT_TIMEOUT_MS;
            return [
              { matcher: typeof matcher === "string" ? matcher : undefined, command, timeoutMs },
            ];
          },
        ),
      );
    });
  }

  async #command(
    event: string,
    hook: { command: string; timeoutMs: number },
    input: JsonObject,
    { subject, signal }: HookRun,
  ): Promise<Answered> {
    const session = this.#session();
    const about = {
      hook_id: crypto.randomUUID(),
      hook_name: subject === undefined ? event : `${event}:${subject}`,
      hook_event: event,
    };
    // A session's start is told in any case, its end never, the rest where hosts asked for it.
    const told =
      event === "SessionStart" || (session.birth.options.hookEvents && event !== "SessionEnd");
    if (told) session.say({ type: "system", subtype: "hook_started", ...about });
    const ended = await runHookCommand({
      command: hook.command,
      input,
      folder: session.shellFolder,
      environment: {
        ...session.birth.environment,
        ...session.settings.environment,
        CLAUDE_PROJECT_DIR: session.birth.folder,
      },
      timeoutMs: hook.timeoutMs,
      ...(signal ? { signal } : {}),
    });
    if (told) {
      session.say({
        type: "system",
        subtype: "hook_response",
        ...about,
        output: ended.stdout + ended.stderr,
        stdout: ended.stdout,
        stderr: ended.stderr,
        exit_code: ended.code,
        outcome: ended.timedOut ? "cancelled" : ended.code === 0 ? "success" : "error",
      });
    }
    const answer = readCommandAnswer(event, hook.command, ended);
    return { ...answer, failed: ended.code !== 0, name: hook.command };
  }
}

const given = (name: string, value: string | undefined): JsonObject =>
  value === undefined ? {} : { [name]: value };

type Answered = CallbackAnswer & { failed: boolean; name: string };

function inSum(answers: readonly Answered[]): HookOutcome {
  const decisions = ["deny", "defer", "ask", "allow"] as const;
  const strictest = decisions
    .map((decision) => answers.find(({ permission }) => permission?.decision === decision))
    .find((answer) => answer !== undefined);
  const { blocked, inItsWords } = answers.find((answer) => answer.blocked !== undefined) ?? {};
  const decision = answers.find((answer) => answer.decision !== undefined)?.decision;
  const updatedInput = answers.findLast(
    (answer) => answer.updatedInput !== undefined,
  )?.updatedInput;
  const stop = answers.find((answer) => answer.stop !== undefined)?.stop;
  const { noVerdict } = answers.find((answer) => answer.noVerdict !== undefined) ?? {};
  return {
    ...(blocked === undefined ? {} : { blocked }),
    ...(inItsWords === undefined ? {} : { inItsWords }),
    ...(strictest?.permission ? { permission: strictest.permission } : {}),
    ...(decision === undefined ? {} : { decision }),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    contexts: answers.flatMap(({ context }) => (context === undefined ? [] : [context])),
    ...(stop === undefined ? {} : { stop }),
    failed: answers.some(({ failed, blocked }) => failed || blocked !== undefined),
    ...(noVerdict ? { noVerdict } : {}),
    ran: answers
      .filter((answer) => answer.noVerdict?.kind !== "gone")
      .map(({ name, noVerdict }) => ({ name, isLate: noVerdict?.kind === "late" })),
  };
}

/** No matcher and `*` fit all; names stand between bars; anything else is a regular expression. */
function matches(matcher: string | undefined, subject = ""): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (/^[\w|-]+$/.test(matcher)) return matcher.split("|").includes(subject);
  try {
    return new RegExp(matcher).test(subject);
  } catch {
    return false;
  }
}
