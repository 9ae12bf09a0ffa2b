import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const task = (description: string, ...lines: string[]) =>
  errand("general-purpose", description, ...lines);

/** Runs something in the background until a file exists, and then waits for its report. */
function goesOn(name: string, answer: string, begin: (wait: string) => string): Story {
  return {
    name,
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash"] });
      const begun = begin("while [ ! -e go ]; do sleep 0.05; done");
      await talk.turn(prompt("Begin", begun, say("It is under way."), next, say(answer)));
      const ended = talk.end(); // The conversation waits for it, and it is reported.
      stage.write("go", "");
      await ended;
    },
  };
}

/** Recognizes the last message of a subagent that was stopped. */
const isInterrupted = (message: SDKMessage): boolean =>
  message.type === "user" &&
  JSON.stringify(message.message.content).includes("[Request interrupted");

/** Subagents that start others, or work in the background. */
export const delegation: Story[] = [
  goesOn("a subagent in the background", "So they have counted.", (wait) => {
    const errand = task(
      "Count",
      bash(`${wait}; touch counted.txt`, "Wait"),
      say("I have counted."),
    );
    // The call does not say whether to wait.
    return tool("Task", { ...errand, run_in_background: undefined });
  }),
  goesOn("a command in the background that reports", "It has ended.", (wait) =>
    bash(`${wait}; echo out`, "Wait", { run_in_background: true }),
  ),
  {
    name: "a subagent that sends another",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const inner = task(
        "Count inside",
        bash("touch inner.txt", "Note it"),
        say("Counted inside."),
      );
      const unsaid = { ...inner, run_in_background: undefined };
      const outer = task("Count outside", tool("Task", unsaid), say("They counted inside."));
      await talk.turn(prompt("Have it counted", tool("Task", outer), say("All is counted.")));
    },
  },
  {
    name: "an interrupt ends a subagent in the background and no command, and a kind has a mode of its own",
    files: {
      ".claude/agents/writer.md":
        "---\nname: writer\ndescription: Writes\npermissionMode: acceptEdits\n---\nWrite.",
    },
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash", "Agent"] });
      const wait = "while [ ! -e go ]; do sleep 0.05; done";
      const away = task(
        "Count",
        bash("touch begun.txt; while [ ! -e never ]; do sleep 0.05; done", "Wait"),
      );
      const lines = [
        bash(`${wait}; touch command.txt`, "Wait", { run_in_background: true }),
        tool("Task", { ...away, run_in_background: true }),
        bash("while [ ! -e begun.txt ]; do sleep 0.05; done", "Await them"),
        say("Both are under way."),
      ];
      await talk.turn(prompt("Begin", ...lines));
      stage.note("interrupt", await talk.query.interrupt());
      await talk.until(isInterrupted);
      stage.write("go", "");
      await talk.result(); // The command has ended by itself, and is reported.
      const note = { file_path: "note.txt", content: "" };
      const writes = errand("writer", "Note it", tool("Write", note), say("Noted."));
      await talk.turn(prompt("Have it noted", tool("Task", writes), say("It is.")));
      await talk.end();
    },
  },
  {
    name: "kinds of subagents that rules deny, and one whose calls fail",
    files: {
      ".claude/settings.json": JSON.stringify({
        permissions: { deny: ["Task(Explore)", "Agent(gen*)"], ask: ["Agent(general-purpose)"] },
      }),
    },
    async play(stage) {
      const talk = stage.open({
        disallowedTools: ["Agent(Explore)", "Task(Plan)"],
        allowedTools: ["Bash"],
      });
      const calls = [
        errand("Explore", "Look around", say("Seen.")),
        errand("Plan", "Plan it", say("Planned.")),
        task("Fail", bash("exit 3", "Fail"), tool("Nope", {}), say("Failed.")),
      ];
      const lines = calls.flatMap((call) => [tool("Task", call), next]);
      await talk.turn(prompt("Send them", ...lines, say("So be it.")));
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
