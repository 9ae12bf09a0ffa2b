import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, inOneTurn, type Story } from "../story.ts";

/** Current and former names of tools. */
export const toolNames: Story[] = [
  {
    name: "a tool by the names that it had before",
    async play(stage) {
      const hook = () => Promise.resolve({});
      const matchers = ["KillShell", "KillBash", "TaskStop"];
      const talk = stage.open({
        canUseTool: allow,
        hooks: { PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [hook] })) },
      });
      await talk.turn(
        prompt(
          "Start it",
          bash("sleep 60", "Sleep", { run_in_background: true }),
          next,
          tool("KillShell", { shell_id: "{{seen with ID: (\\w+)}}" }),
          next,
          tool("KillBash", { shell_id: "nobody" }),
          next,
          tool("KillShell", {}),
          next,
          tool("Agent", { ...errand("general-purpose", "Greet", say("Hello.")), unknown: 1 }),
          say("So it went."),
        ),
      );
    },
  },
  inOneTurn(
    "a tool is forbidden by the name that it had before",
    { canUseTool: allow, disallowedTools: ["KillShell"] },
    () => [
      "Stop it",
      tool("KillBash", { shell_id: "nobody" }),
      next,
      tool("TaskStop", { task_id: "nobody" }),
      say("So it went."),
    ],
  ),
  inOneTurn("tools that are not there have names for people", { canUseTool: allow }, () => [
    "Try them",
    ...[
      "mcp__nowhere__get-my_thing",
      "mcp__a__b__c_d",
      "mcp__a__",
      "mcp__a___b",
      "mcp__a__getHTMLPage",
      "exit_plan_mode",
      "1st_time",
      "nothing",
      "Nothing",
    ].flatMap((name) => [tool(name, {}), next]),
    say("So it went."),
  ]),
];
