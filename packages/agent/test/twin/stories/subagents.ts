import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import type { Conversation, Stage, Story } from "../story.ts";

const kind = (name: string, more: string): string =>
  `---\nname: ${name}\ndescription: For tests\n${more}\n---\nYou are ${name}.`;
const send = (type: string, description: string, ...lines: string[]): string =>
  prompt("Send them", tool("Task", errand(type, description, ...lines)), say("They are back."));
const away = (type: string, description: string, ...lines: string[]): string =>
  tool("Task", { ...errand(type, description, ...lines), run_in_background: true });

/** How hard the model was to think when it was asked something. */
function effortFor({ requests }: Stage, words: string): unknown {
  const about = requests.find((one) => {
    const { messages } = one as { messages: readonly { content: unknown }[] };
    return messages.length < 3 && JSON.stringify(messages).includes(words);
  });
  return (about as { output_config?: { effort?: unknown } } | undefined)?.output_config?.effort;
}

/** The id of the task that began last. */
function lastTask({ messages }: Conversation): string {
  const begun = messages.filter((message) => isStart(message));
  return begun.at(-1)?.task_id ?? "";
}

const isStart = (message: SDKMessage) =>
  message.type === "system" && message.subtype === "task_started";

/** What a definition says of a kind, and what becomes of subagents that end in another way. */
export const subagents: Story[] = [
  {
    name: "kinds that think more or less, and have few turns",
    files: {
      ".claude/agents/hard.md": kind("hard", "effort: high"),
      ".claude/agents/short.md": kind("short", "maxTurns: 2"),
    },
    async play(stage) {
      const talk = stage.open({
        model: "opus",
        allowedTools: ["Bash"],
        agents: {
          light: { description: "For tests", prompt: "You are light.", effort: "low" },
          once: { description: "For tests", prompt: "You are once.", maxTurns: 1 },
        },
      });
      await talk.turn(send("hard", "Ponder", say("I have pondered.")));
      stage.note("effort of a file", effortFor(stage, "Ponder"));
      await talk.turn(send("light", "Glance", say("I have glanced.")));
      stage.note("effort of the host", effortFor(stage, "Glance"));
      const two = [bash("echo one", "One"), next, say("I have begun."), bash("echo two", "Two")];
      await talk.turn(send("short", "Go on", ...two, next, say("It went on.")));
      await talk.turn(send("once", "Begin", bash("echo one", "One"), say("It went on.")));
      const sent = away("once", "Begin", bash("echo one", "One"), say("It went on."));
      await talk.turn(prompt("Send it away", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
    },
  },
  {
    name: "a subagent that says nothing is asked once more",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const [thought, spoken] = ["::think Hm.", say("Now I speak.")];
      await talk.turn(send("general-purpose", "Be silent once", thought, next, spoken));
      await talk.turn(send("general-purpose", "Be silent", thought, next, thought, next, spoken));
      const sent = away("general-purpose", "Be silent far away", thought, next, spoken);
      await talk.turn(prompt("Send it away", sent, say("It is away."), next, say("It is back.")));
      await talk.end();
    },
  },
  {
    name: "a subagent in the background that the host stops",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const lines = [
        away("general-purpose", "Wait", bash("touch begun; sleep 60", "Wait")),
        next,
        bash("while [ ! -e begun ]; do sleep 0.05; done", "Await it"),
        say("It is under way."),
        next,
        say("So it was stopped."),
      ];
      await talk.turn(prompt("Begin", ...lines));
      await talk.query.stopTask(lastTask(talk));
      stage.note("told", await talk.result());
      await talk.turn(prompt("Go on", say("I go on.")));
    },
  },
];
