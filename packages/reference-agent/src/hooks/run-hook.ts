import type { JsonObject } from "@signalbox/protocol/wire";
import type { Session } from "../session.ts";
import { readCommandEnd, readText } from "./answer.ts";
import { runHookCommand } from "./command.ts";
import { fits } from "./condition.ts";
import { hookEnvironment } from "./environment.ts";
import type { HookEnd } from "./hook-end.ts";
import { postHook } from "./http.ts";
import { callHookTool } from "./mcp-tool.ts";
import type { HookResult } from "./outcome.ts";
import { type Judge, judgeByPrompt } from "./prompt.ts";
import type { SettingsHook } from "./settings-hooks.ts";

export interface HookCall {
  readonly session: Session;
  readonly event: string;
  readonly subject?: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly input: JsonObject;
  readonly signal?: AbortSignal | undefined;
}

/** Runs the hooks of the settings whose condition matches the call, in parallel. */
export function runSettingsHooks(
  call: HookCall,
  hooks: readonly SettingsHook[],
): Promise<HookResult>[] {
  const { shellFolder: folder, home } = call.session;
  return hooks
    .filter(
      ({ condition: text, root }) =>
        text === undefined || fits({ text, root }, call.input, { folder, home }),
    )
    .map((hook) => runSettingsHook(call, hook));
}

/** Runs a hook of any kind and sends its messages to hosts. */
async function runSettingsHook(call: HookCall, hook: SettingsHook): Promise<HookResult> {
  const judge = judges[hook.kind];
  if (judge) return runJudge(call, hook, judge);
  if (hook.kind === "command" && isAside(hook)) return runInBackground(call, hook);
  const { session, event } = call;
  const about = {
    hook_id: crypto.randomUUID(),
    hook_name: getName(call),
    hook_event: event,
  };
  // The hooks of a session's start are always reported, some never, and the others if hosts asked
  // for it.
  const isTold =
    event === "SessionStart" ||
    (session.context.options.hookEvents && !unreportedEvents.has(event));
  if (isTold) session.say({ type: "system", subtype: "hook_started", ...about });
  const ended = await end(call, hook);
  const isCommand = hook.kind === "command";
  const read = isCommand
    ? readCommandEnd(event, hook.name, ended)
    : ended.failure
      ? { failure: ended.stderr }
      : readText(ended.stdout);
  const { failure, ...answer } = read;
  const isMisread = failure !== undefined && !ended.failure && (!isCommand || ended.code === 0);
  const code = isMisread && hook.kind === "mcp_tool" ? 1 : ended.code;
  if (isTold) {
    const stderr = isMisread ? failure : ended.stderr;
    const output = isCommand ? ended.stdout + ended.stderr : ended.stdout || ended.stderr;
    session.say({
      type: "system",
      subtype: "hook_response",
      ...about,
      output: ended.failure === "late" && !isCommand ? "Hook cancelled" : output,
      stdout: ended.stdout,
      stderr: ended.failure === "late" && !isCommand ? "" : stderr,
      ...(code === undefined ? {} : { exit_code: code }),
      outcome: getOutcome(ended, failure, answer.blocked),
    });
  }
  const why = isMisread ? failure : ended.stderr;
  if (event === "SessionEnd" && (code === 2 || failure !== undefined)) reportEnd(call, hook, why);
  const isDone = failure === undefined && ended.code !== 2;
  const hookText = isDone ? (answer.blocked ?? ended.stdout) : why;
  const report = { isDone, hookText: hookText.trim() };
  if (failure === undefined) return { ...answer, name: hook.name, failed: !isDone, report };
  const answered = reportFailedGuard(call, hook, {
    why: failure,
    isLate: ended.failure === "late",
    isUnchecked: ended.failure !== undefined || isMisread,
  });
  return { ...answered, report };
}

const judges: Readonly<Record<string, Judge>> = {
  prompt: judgeByPrompt,
  agent: (session, ...rest) => session.judgeByAgent(session, ...rest),
};

const unreportedEvents = new Set(
  "SessionEnd PreCompact PostCompact StopFailure Notification CwdChanged InstructionsLoaded".split(
    " ",
  ),
);

/** Events that are reported without their subject. */
const unnamed = new Set(["SubagentStop", "UserPromptExpansion"]);

const getName = ({ event, subject }: HookCall): string =>
  subject === undefined || unnamed.has(event) ? event : `${event}:${subject}`;

function getOutcome(
  ended: HookEnd,
  failure: string | undefined,
  blocked: string | undefined,
): string {
  if (ended.failure === "late") return "cancelled";
  return failure !== undefined || (blocked !== undefined && ended.code === 2) ? "error" : "success";
}

async function end(call: HookCall, hook: SettingsHook): Promise<HookEnd> {
  const { session, input } = call;
  if (hook.kind === "command") return runHookCommand(getOrder(call, hook));
  const { until, late } = getTime(call, hook);
  const ended =
    hook.kind === "http"
      ? await postHook(session, hook, input, until)
      : hook.kind === "mcp_tool"
        ? await callHookTool(session, hook, input, until)
        : createNotRunEnd(hook);
  if (!ended.failure || !late.aborted) return ended;
  const { code: _, ...rest } = ended;
  return { ...rest, failure: "late" };
}

const createNotRunEnd = ({ kind }: SettingsHook): HookEnd => ({
  code: 1,
  stdout: "",
  stderr: `Hooks of the type "${kind}" are not run here`,
  failure: "unusable",
});

/** Returns a signal that ends with the turn or the hook's timeout. */
function getTime({ signal }: HookCall, { timeoutMs }: SettingsHook) {
  const late = AbortSignal.timeout(timeoutMs);
  return { late, until: signal ? AbortSignal.any([signal, late]) : late };
}

function getOrder({ session, event, input, signal }: HookCall, hook: SettingsHook) {
  const { args } = hook.body;
  return {
    command: hook.name,
    args: Array.isArray(args) ? args.map(String) : undefined,
    input,
    folder: session.shellFolder,
    environment: hookEnvironment(session, event, input),
    timeoutMs: hook.timeoutMs,
    ...(signal ? { signal } : {}),
  };
}

async function runJudge(call: HookCall, hook: SettingsHook, judge: Judge): Promise<HookResult> {
  const { session, event, input } = call;
  if (event === "SessionStart" || event === "SessionEnd") return createNotJudgedResult(call, hook);
  const { until, late } = getTime(call, hook);
  const answer = await judge(session, hook, event, input, until);
  if (answer) return { ...answer, name: hook.name, failed: false };
  const why = "The model gave no judgement";
  // An agent that ends without an answer has used up its time.
  const isLate = late.aborted || hook.kind === "agent";
  return reportFailedGuard(call, hook, { why, isLate, isUnchecked: true });
}

/** The result for a hook that runs before or after the conversation, when no model can judge. */
function createNotJudgedResult(call: HookCall, hook: SettingsHook): HookResult {
  const { session, event } = call;
  const why = `Failed to run: ${hook.kind}-type hooks are not supported for ${event} events (no conversation context is available). Use a command-type hook instead.`;
  if (event === "SessionStart") {
    session.say({
      type: "system",
      subtype: "hook_response",
      hook_id: crypto.randomUUID(),
      hook_name: getName(call),
      hook_event: event,
      output: why,
      stdout: "",
      stderr: why,
      exit_code: 1,
      outcome: "error",
    });
  } else {
    reportEnd(call, hook, why);
  }
  return reportFailedGuard(call, hook, { why, isLate: false, isUnchecked: true });
}

/** Writes the result to the error stream, because hosts receive nothing any more. */
function reportEnd({ session }: HookCall, { name }: SettingsHook, why: string): void {
  if (why !== "") session.context.report(`SessionEnd hook [${name}] failed: ${why}`);
}

/** Reports a guard that did not run. If the hook is configured so, the failure blocks. */
function reportFailedGuard(
  { session, event, toolUseId }: HookCall,
  hook: SettingsHook,
  { why, isLate, isUnchecked }: { why: string; isLate: boolean; isUnchecked: boolean },
): HookResult {
  const isEnd = ["Stop", "SubagentStop", "TaskCompleted"].includes(event);
  if (hook.blocksOnFailure && !isEnd) {
    const failureMessage = `failed; blocking because onFailure is "block"\n${why || "No stderr output"}`;
    return {
      blocked: `[${hook.name}]: ${failureMessage}`,
      inItsWords: failureMessage,
      name: hook.name,
      failed: true,
    };
  }
  if (event === "PreToolUse" && isUnchecked && isNewFailure(session, hook)) {
    session.say({
      type: "system",
      subtype: "informational",
      content: isLate
        ? "A hook didn't answer in time, so it didn't check this action."
        : "A hook gave no usable answer, so it didn't check this action.",
      level: "warning",
      tag: "hook_no_verdict",
      hook_no_verdict: { hook_event: event, timed_out: isLate, tool_use_id: toolUseId },
    });
  }
  return { name: hook.name, failed: !isLate };
}

const getTold = new WeakMap<Session, Set<string>>();

/** Whether this failure is new. A hook that fails repeatedly is reported once. */
function isNewFailure(session: Session, { name }: SettingsHook): boolean {
  const shownErrors = getTold.get(session) ?? new Set();
  getTold.set(session, shownErrors);
  return shownErrors.size !== shownErrors.add(name).size;
}

const isAside = ({ body }: SettingsHook): boolean =>
  body["async"] === true || body["asyncRewake"] === true;

/**
 * Runs a hook in the background. A hook that may wake the model does so with the exit code for
 * blocking.
 */
function runInBackground(call: HookCall, hook: SettingsHook): HookResult {
  void wakeAfter(call, hook);
  return { name: hook.name, failed: false };
}

async function wakeAfter(call: HookCall, hook: SettingsHook): Promise<void> {
  const { signal: _, ...order } = getOrder(call, hook);
  const { code, stderr } = await runHookCommand(order);
  if (hook.body["asyncRewake"] !== true || code !== 2) return;
  const blockingMessage = `${getName(call)} hook blocking error from command: "${hook.name}": ${stderr}`;
  call.session.context.requestTurn({
    uuid: crypto.randomUUID(),
    content: `<system-reminder>\nNobody wrote this: a hook that ran in the background reports.\n${blockingMessage}\n</system-reminder>`,
    line: { type: "user", isMeta: true },
  });
}
