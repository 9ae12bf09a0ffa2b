import { getNotices, getRemarks } from "../hooks/outcome.ts";
import { tellMet } from "../hooks/instructions.ts";
import type { Executor } from "./executor.ts";
import type { Thread } from "./thread.ts";

/** Calls hooks about all calls of one answer. Returns whether they end the turn. */
export async function batchHooks(thread: Thread, executor: Executor): Promise<boolean> {
  const { session, signal, agent } = thread;
  const outcome = session.hooks.has("PostToolBatch")
    ? await session.hooks.run(
        "PostToolBatch",
        { tool_calls: executor.calls },
        { toolUseId: `hook-${crypto.randomUUID()}`, signal, ...(agent && { agent }) },
      )
    : undefined;
  tellMet(session, thread.memoryLoaded.splice(0), agent);
  if (!outcome) return false;
  if (!agent) for (const notice of getNotices("PostToolBatch", outcome)) thread.say(notice);
  for (const remark of getRemarks("PostToolBatch", outcome)) thread.addModelNote(remark);
  return outcome.blocked !== undefined || outcome.stop !== undefined;
}
