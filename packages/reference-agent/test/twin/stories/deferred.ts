import type { HookCallback, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";
import { hooked } from "./hooks.ts";

/** Decides about every call. */
const judging =
  (permissionDecision: "defer" | "deny"): HookCallback =>
  (input) => {
    const hookSpecificOutput = {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: "Not yet.",
    } as const;
    return Promise.resolve(input.hook_event_name === "PreToolUse" ? { hookSpecificOutput } : {});
  };
const deferring = JSON.stringify({
  systemMessage: "Wait for it.",
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" },
});
const command = `if grep -q '"command":"touch'; then echo '${deferring}'; fi`;
const settings = JSON.stringify({
  hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] },
}) as never;
const make = prompt("Make it", say("I make."), bash("touch made", "Make"), next, say("Done."));

const getId = ({ session_id }: SDKMessage): string => String(session_id);

/** Hooks that answer `defer`: the call waits until the session is resumed. */
export const deferred: Story[] = [
  {
    name: "hooks that put a call off, and the session goes on with it",
    async play(stage) {
      const events = ["PreToolUse", "PostToolBatch", "Stop", "UserPromptSubmit"] as const;
      const first = stage.open({ canUseTool: allow, ...hooked(stage, events, judging("defer")) });
      const resume = getId(await first.turn(make));
      await first.end();
      const second = stage.open({ canUseTool: allow, resume });
      await second.result();
      await second.turn(prompt("Again", bash("touch more", "Make"), next, say("More.")));
      await second.end();
      const third = stage.open({ canUseTool: allow, resume, settings, includeHookEvents: true });
      await third.turn(make);
      await third.end();
      const denying = hooked(stage, ["PreToolUse", "UserPromptSubmit"], judging("deny"));
      const last = stage.open({ canUseTool: allow, resume, ...denying });
      await last.result();
    },
  },
  {
    name: "hooks that put calls off: a subagent's, the last of several, and one that is left behind",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, settings });
      const task = errand("general-purpose", "Go", say("I go."), bash("touch made", "Make"));
      await talk.turn(prompt("Send", tool("Task", task), next, say("So.")));
      const calls = [bash("exit 3", "Fail"), bash("touch one", "Make"), bash("touch two", "Make")];
      await talk.turn(prompt("Make them", ...calls, next, say("Never.")));
      const resume = getId(await talk.turn(prompt("Go on", say("Without it."))));
      await talk.end();
      const again = stage.open({ canUseTool: allow, resume });
      await again.turn(prompt("Go on", say("Still without it.")));
    },
  },
];
