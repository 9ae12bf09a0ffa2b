import type { DeferredCall } from "@signalbox/agent";
import type { ConversationEnd } from "./conversation-end.ts";
import { Executor } from "./executor.ts";
import type { Thread } from "./thread.ts";

/**
 * Makes the deferred call now, with the usual questions. Undefined: it has its result, and the
 * model continues. `stop` ends the turn because a person wants that.
 */
export async function makeDeferred(
  thread: Thread,
  call: DeferredCall,
  stop: () => void,
): Promise<ConversationEnd | undefined> {
  const end = { text: "", deferred: call } as const;
  const { environment } = thread.session.context;
  if (!thread.tools().some(({ name }) => name === call.name)) {
    if (environment["CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL"] === "1") return undefined;
    const reason = "tool_deferred_unavailable";
    const text = `${call.name} isn't available, so its deferred call didn't run. Reconnect the tool and resume, or resume with a prompt and CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL=1 to drop the call and continue.`;
    return { ...end, reason, text, stopReason: reason };
  }
  const executor = new Executor(thread, false);
  await executor.add({ type: "tool_use", ...call });
  await executor.finish();
  thread.userMessages = 0; // It belongs to the previous turn.
  if (executor.deferred) {
    return { ...end, reason: "tool_deferred", stopReason: "tool_deferred" };
  }
  if (executor.stopped === "person") stop();
  return undefined;
}
