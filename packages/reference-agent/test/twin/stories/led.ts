import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Conversation, type Stage, type Story } from "../story.ts";

const scribe = `---
name: scribe
description: Writes things down
tools: Read, Write
model: sonnet
---
You are the scribe.
`;
const logged = { hooks: [{ type: "command", command: "cat >> hooks.log; echo >> hooks.log" }] };

/** A custom kind of agent leads the main conversation. */
export const led: Story[] = [
  {
    name: "led by an agent of the project, and again when it goes on",
    files: {
      ".claude/agents/scribe.md": scribe,
      ".claude/settings.json": JSON.stringify({
        hooks: { UserPromptSubmit: [logged], Stop: [logged] },
      }),
    },
    async play(stage) {
      const file = `${stage.folder}/note.txt`;
      const write = tool("Write", { file_path: file, content: "one\n" });
      const talk = stage.open({ agent: "scribe", canUseTool: allow });
      await talk.turn(
        prompt("Note it", write, next, bash("echo one", "Say one"), next, say("Noted.")),
      );
      noteTools(stage, talk);
      await talk.turn("/model");
      await talk.end();
      const again = stage.open({ continue: true });
      await again.turn(prompt("And now?", say("The same.")));
      noteTools(stage, again);
    },
  },
  {
    name: "led by an agent that the host brings",
    async play(stage) {
      const agents = {
        guard: { description: "Guards", prompt: "You guard.", disallowedTools: ["Bash"] },
      };
      const talk = stage.open({ agent: "guard", agents, model: "haiku" });
      await talk.turn(prompt("Run it", bash("echo one", "Say one"), next, say("Not so.")));
      await talk.end();
      const other = stage.open({ agent: "nobody" });
      await other.turn(prompt("Who are you?", say("Myself.")));
    },
  },
];

/** Notes which of the tools that both programs have are offered. */
function noteTools(stage: Stage, talk: Conversation): void {
  const both = new Set("Task Bash Edit NotebookEdit Read WebFetch WebSearch Write".split(" "));
  for (const one of talk.messages) {
    if (one.type !== "system" || one.subtype !== "init") continue;
    stage.note(
      "tools",
      one.tools.filter((name) => both.has(name)),
    );
  }
}
