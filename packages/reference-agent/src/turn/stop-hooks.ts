import type { NoVerdict } from "../hooks/callback.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { getSummary } from "../tools/background.ts";
import type { Thread } from "./thread.ts";

/** What hooks make of a turn's end. `ends` absent: the model goes on. */
interface StopWord {
  readonly ends?: "completed" | "stop_hook_prevented";
  readonly text: string;
  /** How often in a row they have kept it from ending by now. */
  readonly blocks: number;
  /** The host knows by now that such a hook had something to object. */
  readonly isTold: boolean;
  /** A command was asked, and somebody did not wait for its word. */
  readonly isInterrupted?: boolean;
}

/** Tells hooks that the model stops; `text`: what it said last. */
export function askStop(
  thread: Thread,
  text: string | undefined,
  isActive = false,
): Promise<HookOutcome> {
  const { session, agent, signal } = thread;
  const folder = session.context.transcriptPath.replace(/\.jsonl$/, "");
  return session.hooks.run(
    agent ? "SubagentStop" : "Stop",
    {
      stop_hook_active: isActive,
      ...(agent ? { agent_transcript_path: `${folder}/subagents/agent-${agent.id}.jsonl` } : {}),
      ...(text === undefined ? {} : { last_assistant_message: text }),
      background_tasks: session.tasks.running.map(getSummary),
      session_crons: [],
    },
    { signal, ...(agent ? { subject: agent.type, agent } : {}) },
  );
}

/** Asks the hooks whether the model may stop. What they object or add is for the model. */
export async function stopHooks(
  thread: Thread,
  text: string,
  { isActive, isTold, blocks }: { isActive: boolean; isTold: boolean; blocks: number },
): Promise<StopWord> {
  const { session, agent } = thread;
  const event = agent ? "SubagentStop" : "Stop";
  const outcome = await askStop(thread, text, isActive);
  if (thread.signal.aborted) return unheard(thread, text, { isTold, blocks });
  const { blocked, stop, failed } = outcome;
  for (const notice of getNotices(event, outcome)) thread.say(notice);
  if (outcome.noVerdict && !agent) sayNoVerdict(thread, outcome.noVerdict);
  if (blocked !== undefined) feedBack(thread, `Stop hook feedback:\n${blocked}`);
  if (failed && !agent && !isTold) {
    thread.say({
      type: "system",
      subtype: "notification",
      key: "stop-hook-error",
      text: "Stop hook error occurred · ctrl+o to see",
      priority: "immediate",
    });
  }
  const word = { isTold: isTold || failed, blocks: blocked === undefined ? 0 : blocks + 1 };
  if (stop !== undefined) {
    return { ...word, ends: "stop_hook_prevented", text: blocked === undefined ? text : "" };
  }
  if (word.blocks > getCap(session)) {
    sayCapped(thread, word.blocks);
    return { ...word, ends: "completed", text: "" };
  }
  const remarks = getRemarks(event, outcome);
  for (const remark of remarks) thread.whisper(remark);
  const goesOn = blocked !== undefined || remarks.length > 0;
  return { ...word, text, ...(goesOn ? {} : { ends: "completed" as const }) };
}

/** All was said already when the turn was interrupted: it ends as if the host's hooks had let it. */
function unheard(
  { session, agent, makesWay }: Thread,
  text: string,
  word: { isTold: boolean; blocks: number },
): StopWord {
  if (agent || makesWay) return { ...word, text };
  if (!session.hooks.hasOwn("Stop")) return { ...word, ends: "completed", text };
  return { ...word, ends: "stop_hook_prevented", text: "", isInterrupted: true };
}

/** Tells hooks that the turn ends because the model failed. What they say changes nothing. */
export async function failureHooks(thread: Thread, error: string, text: string): Promise<void> {
  const { session, agent } = thread;
  const details = { error, last_assistant_message: text };
  await session.hooks.run("StopFailure", details, { subject: error, ...(agent && { agent }) });
}

const CAP = 8;

function getCap({ context, settings }: Thread["session"]): number {
  const { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: said } = {
    ...context.environment,
    ...settings.environment,
  };
  const cap = Number(said);
  return Number.isInteger(cap) && cap > 0 ? cap : CAP;
}

/** A hook that never lets go would keep the model at work for ever. */
function sayCapped(thread: Thread, times: number): void {
  const text = `A hook blocked the turn from ending ${times} consecutive times — overriding and ending turn. For Stop/SubagentStop hooks, check stop_hook_active in the input and return success while it's true. Set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.`;
  if (thread.agent) return;
  const system = { type: "system" } as const;
  thread.say({ ...system, subtype: "informational", content: text, level: "warning" });
  thread.say({
    ...system,
    subtype: "notification",
    key: "stop-hook-block-cap",
    text,
    priority: "high",
    color: "warning",
  });
}

/** The turn ends without the word of a hook: whoever looks on should know. */
function sayNoVerdict(thread: Thread, noVerdict: NoVerdict): void {
  const about = { type: "system", subtype: "informational" };
  if (noVerdict.kind === "late") {
    const content =
      "Stop says: The app driving this session didn't respond, so this turn ended without it.";
    thread.say({ ...about, content, level: "notice" });
  }
  if (noVerdict.kind === "odd") {
    thread.say({ ...about, content: `Stop hook failed: ${noVerdict.why}`, level: "warning" });
  }
}

/** Of a subagent's only its model hears. */
function feedBack(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent) thread.takeUser(content);
  else thread.sayUser(content, { isSynthetic: true });
}
