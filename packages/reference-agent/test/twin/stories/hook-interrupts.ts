import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { HookCallback, HookEvent } from "@anthropic-ai/claude-agent-sdk";
import { bash, next, prompt, say } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const works = (command: string) => [bash(command, "Work"), next, say("Done.")];

/** What the model does in a turn that is interrupted while hooks of an event run. */
const turns: readonly (readonly [HookEvent, readonly string[]])[] = [
  ["UserPromptSubmit", [say("Never.")]],
  ["PostToolUse", works("touch made")],
  ["PostToolUseFailure", works("touch tried; false")],
  ["PostToolBatch", works("touch again")],
  ["Stop", works("touch last")],
];

const command = (event: HookEvent) => ({
  [event]: [
    { hooks: [{ type: "command", command: `[ -e ${event} ] || { touch ${event}; sleep 20; }` }] },
  ],
});

/** Creates a hook that waits until it is aborted, the first time it is called. */
function waiting(stage: Stage): HookCallback {
  const met = new Set<string>();
  return async ({ hook_event_name: event }, _id, { signal }) => {
    if (met.size === met.add(event).size) return {};
    stage.write(event, "");
    await once(signal, "abort");
    return {};
  };
}

/** Interrupts while hooks run. */
export const hookInterrupts: Story[] = [
  {
    name: "interrupts while hooks of the host have the word",
    async play(stage) {
      const wait = waiting(stage);
      for (const [event, lines] of turns) {
        const talk = stage.open({ canUseTool: allow, hooks: { [event]: [{ hooks: [wait] }] } });
        talk.say(prompt(`Until ${event}`, ...lines));
        await stage.exists(event);
        await talk.query.interrupt();
        await talk.result();
        await talk.turn(prompt("And now", say("I am here.")));
        const known = JSON.stringify(stage.requests.at(-1)).includes(`Until ${event}`);
        stage.note(`${event}: the model knows the first prompt`, known);
        await talk.end();
      }
    },
  },
  ...(["UserPromptSubmit", "PostToolUse", "Stop"] as const).map((event): Story => ({
    name: `an interrupt while a command has the word: ${event}`,
    files: { ".claude/settings.json": JSON.stringify({ hooks: command(event) }) },
    async play(stage) {
      const talk = stage.open({ canUseTool: allow, settingSources: ["project"] });
      talk.say(prompt("Work", ...works("touch made")));
      await stage.exists(event);
      await talk.query.interrupt();
      await talk.result();
      await talk.turn(prompt("And now", say("I am here.")));
    },
  })),
  {
    name: "interrupts while a conversation is summed up",
    async play(stage) {
      for (const event of ["PreCompact", "SubagentStop", "PostCompact"] as const) {
        const wait = waiting(stage);
        const talk = stage.open({ hooks: { [event]: [{ hooks: [wait] }] } });
        await talk.turn(prompt("Hello", say("Good day.")));
        talk.say("/compact");
        await stage.exists(event);
        await talk.query.interrupt();
        await talk.result();
        await talk.turn(prompt("And now", say("I am here.")));
        const known = JSON.stringify(stage.requests.at(-1)).includes('Good day."}');
        stage.note(`${event}: the model knows its answer`, known);
        await talk.end();
      }
    },
  },
  {
    name: "nobody waits for hooks that hear of a failure",
    async play(stage) {
      const ended = new AbortController();
      const wait: HookCallback = async () => {
        await Promise.race([once(ended.signal, "abort"), sleep(60_000)]);
        stage.note("the turn has ended before its hook", ended.signal.aborted);
        return {};
      };
      const talk = stage.open({ hooks: { StopFailure: [{ hooks: [wait] }] } });
      await talk.turn(prompt("Hello", "::error 400 x9"));
      ended.abort();
      await talk.turn(prompt("And now", say("I am here.")));
    },
  },
];
