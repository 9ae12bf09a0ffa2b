import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const task = (description: string, ...lines: string[]) =>
  errand("general-purpose", description, ...lines);

/** Subagents that send others, or work on while the conversation does. */
export const delegation: Story[] = [
  {
    name: "a subagent in the background",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const errand = task(
        "Count",
        bash("while [ ! -e go ]; do sleep 0.05; done; touch counted.txt", "Wait"),
        say("I have counted."),
      );
      await talk.turn(
        prompt(
          "Have it counted",
          tool("Task", { ...errand, run_in_background: true }),
          say("It is under way."),
          next,
          say("So they have counted."),
        ),
      );
      stage.write("go", "");
      await talk.result();
    },
  },
  {
    name: "a command in the background that reports",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const wait = "while [ ! -e go ]; do sleep 0.05; done; echo out";
      await talk.turn(
        prompt(
          "Start it",
          bash(wait, "Wait", { run_in_background: true }),
          say("It is under way."),
          next,
          say("It has ended."),
        ),
      );
      stage.write("go", "");
      await talk.result();
    },
  },
  {
    name: "a subagent that sends another",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const inner = task(
        "Count inside",
        bash("touch inner.txt", "Note it"),
        say("Counted inside."),
      );
      const outer = task("Count outside", tool("Task", inner), say("They counted inside."));
      await talk.turn(prompt("Have it counted", tool("Task", outer), say("All is counted.")));
    },
  },
  {
    name: "a window that is nearly full",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Fill it", "::usage input=985000 output=10", say("It is full.")));
      await talk.turn(prompt("Go on", say("I go on.")));
      await talk.turn(
        prompt(
          "Look",
          bash("echo one", "Say one"),
          "::usage input=985000 output=10",
          next,
          bash("echo two", "Say two"),
          say("Seen."),
        ),
      );
    },
  },
  {
    name: "another model takes over",
    async play(stage) {
      const talk = stage.open({ fallbackModel: "haiku" });
      await talk.turn(prompt("Hello", "::overload x3", say("Good day.")));
      await talk.turn(prompt("Again", say("Good day again.")));
    },
  },
];
