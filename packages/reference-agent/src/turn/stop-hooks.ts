import type { NoVerdict } from "../hooks/callback.ts";
import { type HookOutcome, getNotices, getRemarks } from "../hooks/outcome.ts";
import { getSummary } from "../tools/background.ts";
import type { Thread } from "./thread.ts";

/** The decision of hooks about a turn's end. Without `ends`, the model continues. */
interface StopWord {
  readonly ends?: "completed" | "stop_hook_prevented";
  readonly text: string;
  /** How often in a row hooks have prevented the end. */
  readonly blocks: number;
  /** The host knows that such a hook objected. */
  readonly isTold: boolean;
  /** The turn was interrupted while a command hook ran. */
  readonly isInterrupted?: boolean;
}

/** Calls the hooks for the end of a turn; `text` is the last answer. */
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

/** Asks the hooks whether the model may stop. Their objections and additions go to the model. */
export async function stopHooks(
  thread: Thread,
  text: string,
  { isActive, isTold, blocks }: { isActive: boolean; isTold: boolean; blocks: number },
): Promise<StopWord> {
  const { session, agent } = thread;
  const event = agent ? "SubagentStop" : "Stop";
  const outcome = await askStop(thread, text, isActive);
  if (thread.signal.aborted) return createInterruptedStop(thread, text, { isTold, blocks });
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
  for (const remark of remarks) thread.addModelNote(remark);
  const goesOn = blocked !== undefined || remarks.length > 0;
  return { ...word, text, ...(goesOn ? {} : { ends: "completed" as const }) };
}

/**
 * Ends a turn that was interrupted after its answer was complete, as if the host's hooks had
 * allowed it.
 */
function createInterruptedStop(
  { session, agent, makesWay }: Thread,
  text: string,
  word: { isTold: boolean; blocks: number },
): StopWord {
  if (agent || makesWay) return { ...word, text };
  if (!session.hooks.hasOwn("Stop")) return { ...word, ends: "completed", text };
  return { ...word, ends: "stop_hook_prevented", text: "", isInterrupted: true };
}

/** Calls hooks about a failure of the model. Their answers have no effect. */
export async function failureHooks(thread: Thread, error: string, text: string): Promise<void> {
  const { session, agent } = thread;
  const details = { error, last_assistant_message: text };
  await session.hooks.run("StopFailure", details, { subject: error, ...(agent && { agent }) });
}

const CAP = 8;

function getCap({ context, settings }: Thread["session"]): number {
  const { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: blockCap } = {
    ...context.environment,
    ...settings.environment,
  };
  const cap = Number(blockCap);
  return Number.isInteger(cap) && cap > 0 ? cap : CAP;
}

/** Reports that a hook prevented the end too often, which would otherwise continue forever. */
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

/** Reports that the turn ends without the verdict of a hook. */
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

/** Sends feedback to the model. Feedback for a subagent is not shown to hosts. */
function feedBack(thread: Thread, text: string): void {
  const content = [{ type: "text", text }];
  if (thread.agent) thread.takeUser(content);
  else thread.sayUser(content, { isSynthetic: true });
}
