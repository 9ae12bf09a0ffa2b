import { describe, expect, test } from "bun:test";
import { describeCall, toolTitle } from "../src/tools/index.ts";

describe("a title tells calls apart", () => {
  test.each([
    ["Bash", { command: "ls -l\n  && pwd" }, "ls -l && pwd"],
    ["Read", { file_path: "/w/x.txt" }, "/w/x.txt"],
    ["Edit", { file_path: "/w/x.txt" }, "/w/x.txt"],
    ["Grep", { pattern: "a|b", path: "src" }, "a|b"],
    ["LS", { path: "src" }, "src"],
    ["WebFetch", { url: "https://example.org/", prompt: "p" }, "https://example.org/"],
    ["WebSearch", { query: "cats" }, "cats"],
    ["Task", { description: "look around", prompt: "p" }, "look around"],
    ["TaskCreate", { subject: "Build" }, "Build"],
    ["TaskUpdate", { taskId: "3", status: "completed" }, "#3 completed"],
    ["TodoWrite", { todos: [{ content: "A", status: "completed" }, {}] }, "1 of 2 done"],
    ["AskUserQuestion", { questions: [{ question: "Which?" }] }, "Which?"],
    ["EnterPlanMode", {}, "Enter plan mode"],
    ["ExitPlanMode", { plan: "## Do it\n- now" }, "Do it"],
    ["Skill", { skill: "greet", args: "Bob" }, "/greet Bob"],
    ["mcp__my_srv__ping", {}, "my_srv: ping"],
    ["mcp__git__issue", { owner: "ada", deep: { a: 1 }, number: 7 }, "git: issue (ada, 7)"],
    ["mcp__git__login", { user: "ada", apiKey: "sk-1", password: "p" }, "git: login (ada)"],
    ["TaskStop", { task_id: "b1" }, "b1"],
    ["EnterWorktree", { name: "wt" }, "Enter worktree wt"],
    ["ExitWorktree", { action: "remove" }, "Leave worktree and remove it"],
    ["ExitWorktree", {}, "Leave worktree"],
    ["CronCreate", { cron: "* * * * *", prompt: "hi" }, "* * * * *: hi"],
    ["ScheduleWakeup", { delaySeconds: 60 }, "Wake up in 60 s"],
    ["Workflow", { title: "Survey" }, "Survey"],
    ["Workflow", { script: "export const meta = { name: 'greet', phases: [] }\ngo()" }, "greet"],
    ["ToolSearch", { query: "cron" }, "Find tools: cron"],
    ["Nobody", { a: 1 }, "Nobody (1)"],
    [
      "Nobody",
      { text: "one\ntwo ".repeat(50), b: [] },
      `Nobody (${"one two ".repeat(8).slice(0, 59)}…)`,
    ],
    ["Nobody", [], "Nobody"],
    ["Bash", {}, "Bash"],
    ["Bash", null, "Bash"],
  ])("[TL82] %s %j: %s", (name, input, title) => {
    expect(toolTitle(name, describeCall(name, input))).toBe(title);
  });

  test("[TL82] it is one line, and not too long", () => {
    const title = toolTitle("Bash", describeCall("Bash", { command: "🚂\n".repeat(500) }));
    expect(Array.from(title)).toHaveLength(200);
    expect(title.isWellFormed() && title.endsWith("…")).toBe(true);
  });
});
