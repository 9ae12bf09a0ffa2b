import { demoScript, exampleNames, exampleScript, ModelError, parseScript } from "@signalbox/model";
import { describe, expect, test } from "bun:test";

/** The tools that `system/init` names, on 2.1.325 and on 2.1.7. */
const tools =
  `Task AskUserQuestion Bash CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree
  ExitPlanMode ExitWorktree ListAgents Monitor NotebookEdit Read ReportFindings ScheduleWakeup
  SendMessage Skill TaskStop ToolSearch WebFetch WebSearch Workflow Write
  TaskOutput Glob Grep TodoWrite KillShell MCPSearch`.split(/\s+/);

const steps = (name: string) =>
  parseScript(exampleScript(name)).scenes.flatMap(({ messages }) =>
    messages.flatMap((message) => message.steps),
  );

describe("the examples", () => {
  test.each(exampleNames())("%s begins with a comment and makes sense", (name) => {
    expect(exampleScript(name)).toStartWith("# ");
    expect(steps(name)).not.toBeEmpty();
  });
  test("call every tool that Claude Code has", () => {
    const called = new Set(
      exampleNames()
        .flatMap(steps)
        .flatMap((step) => (step.do === "tool" ? step.name : [])),
    );
    expect(tools.filter((name) => !called.has(name))).toEqual([]);
  });
  test("are asked for by name", () => {
    expect(() => exampleScript("../package.json")).toThrow(ModelError);
    expect(() => exampleScript("nothing")).toThrow("demo");
  });
  test("include a demo that answers any prompt", () => {
    expect(demoScript()).toBe(exampleScript("demo"));
    expect(parseScript(demoScript()).scenes.map(({ match }) => match)).toEqual(["*"]);
  });
});
