import { askHost, type Hook, type HookContext } from "./hooks.ts";
import { parseToolAsk } from "./ask.ts";

const WHY = "A hook asks that an earlier host of this agent had set.";

/**
 * Handles hooks of an earlier host. Hooks are registered once, so an agent that comes from another
 * host calls that host's hooks; here a person decides in their place.
 */
export function createUnknownHookHandler(
  context: Pick<HookContext, "decide" | "allowed">,
): Hook["run"] {
  return async (input, asked) => {
    switch (input.hook_event_name) {
      case "PreToolUse":
        return askHost(input, asked, context, Promise.resolve([]), WHY);
      case "Stop":
      case "SubagentStop": {
        const title = "The agent is about to stop";
        const about = { input: {}, title, decision_reason: WHY, decision_reason_type: "hook" };
        const request = {
          subtype: "can_use_tool",
          tool_name: input.hook_event_name,
          ...about,
        } as const;
        const decision = await context.decide(parseToolAsk(asked.requestId, request), asked.signal);
        if (decision.behavior !== "deny") return { decision: "approve" };
        return { decision: "block", reason: decision.message };
      }
      default:
        return {}; // these events only report
    }
  };
}
