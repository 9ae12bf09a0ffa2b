import { describe, expect, test } from "bun:test";
import { describeCall, describeResult } from "../src/tools/index.ts";

function play(name: string, input: unknown, content: unknown, structured?: unknown) {
  return describeResult(describeCall(name, input), { content, structured, isError: false });
}

describe("subagents", () => {
  const input = { description: "sub", prompt: "go", subagent_type: "general-purpose" };
  const usage = { totalDurationMs: 322, totalTokens: 7956, totalToolUseCount: 0 };
  const output = {
    text: "hello\nthere",
    agentId: "a90",
    tokens: 7956,
    toolUses: 0,
    durationMs: 322,
  };
  const handBack =
    "[Subagent hand-back] The text below is the final report. The report follows:\n" +
    "  hello\n  there\nagentId: a90 (use SendMessage with to: 'a90' to continue this agent)\n" +
    "<usage>subagent_tokens: 7956\ntool_uses: 0\nduration_ms: 322</usage>";

  test("[TL76] the report comes bare from the structure, unwrapped from the text of 2.1.325", () => {
    const blocks = [{ type: "text", text: handBack }];
    const structured = {
      status: "completed",
      agentId: "a90",
      content: [{ type: "text", text: "hello\nthere" }],
      resolvedModel: "claude-opus-5-5",
      ...usage,
    };
    const rich = play("Agent", input, blocks, structured);
    expect(rich).toMatchObject({ background: false, model: "claude-opus-5-5", output });
    expect(play("Task", input, blocks)).toMatchObject({ kind: "subagent_task", output });
  });

  test("[TL76] on 2.1.7 the id stands in a block of its own", () => {
    const blocks = [
      { type: "text", text: "hello there" },
      { type: "text", text: "agentId: ae7e596 (for resuming to continue this agent's work)" },
    ];
    expect(play("Task", input, blocks)).toMatchObject({
      output: { text: "hello there", agentId: "ae7e596" },
    });
  });

  test("[TL76] an agent in the background was only launched", () => {
    const text = "Async agent launched successfully.\nagentId: a75 (internal ID)";
    const structured = {
      isAsync: true,
      status: "async_launched",
      agentId: "a75",
      outputFile: "/t",
    };
    const launched = { text: "", agentId: "a75", launched: true };
    expect(play("Task", input, text, structured)).toMatchObject({
      background: true,
      output: { ...launched, outputFile: "/t" },
    });
    expect(play("Task", input, text)).toMatchObject({ background: true, output: launched });
  });
});

describe("tasks and todos", () => {
  test("[TL77] TodoWrite", () => {
    const todos = [
      { content: "A", status: "completed", activeForm: "Doing A" },
      { content: "B", status: "pending", activeForm: "Doing B" },
    ];
    const items = [
      { description: "A", status: "completed", activeForm: "Doing A" },
      { description: "B", status: "pending", activeForm: "Doing B" },
    ];
    const structured = { oldTodos: [], newTodos: todos };
    expect(play("TodoWrite", { todos }, "Todos have been modified", structured)).toEqual({
      kind: "manage_todos",
      operation: "write",
      items,
      output: { items, text: "Todos have been modified" },
    });
  });

  test("[TL77] TaskCreate knows its number from structure or text", () => {
    const input = { subject: "S", description: "D" };
    const made = { title: "S", description: "D", output: { id: "7" } };
    const structured = { task: { id: "7", subject: "S" } };
    expect(play("TaskCreate", input, "", structured)).toMatchObject(made);
    expect(play("TaskCreate", input, "Task #7 created successfully: S")).toMatchObject(made);
  });

  test("[TL77] TaskUpdate, TaskGet and TaskList", () => {
    const update = { taskId: "1", status: "in_progress" };
    const missing = { success: false, taskId: "1", updatedFields: [], error: "Task not found" };
    expect(play("TaskUpdate", update, "Task not found", missing)).toMatchObject({
      operation: "update",
      items: [{ id: "1", description: "", status: "in_progress" }],
      error: "Task not found",
    });
    expect(play("TaskUpdate", { taskId: "2", addBlockedBy: ["1"] }, "")).toMatchObject({
      items: [{ id: "2", blockedBy: ["1"] }],
    });
    const task = { id: "1", subject: "S", status: "pending", blockedBy: [] };
    const items = [{ id: "1", description: "S", status: "pending" }];
    expect(play("TaskGet", { taskId: "1" }, "", { task })).toMatchObject({ output: { items } });
    expect(play("TaskList", {}, "", { tasks: [task] })).toMatchObject({
      operation: "list",
      items: [],
      output: { items },
    });
  });
});

describe("schedules, worktrees, workflows", () => {
  test("[TL80] a job is made, listed and cancelled", () => {
    const input = { cron: "*/5 * * * *", prompt: "hi", recurring: true };
    const job = { id: "042a8223", humanSchedule: "Every 5 minutes", recurring: true };
    const jobs = [
      { id: "042a8223", ...input, schedule: "Every 5 minutes", nextAtMs: 1794736762096 },
    ];
    const made = play("CronCreate", input, "…", { ...job, nextFireAt: 1794736762096.07 });
    expect(made).toMatchObject({ operation: "create", output: { jobs } });
    const listed = { jobs: [{ ...job, ...input, nextFireAt: 1794736762096.07 }] };
    expect(play("CronList", {}, "…", listed)).toMatchObject({ output: { jobs } });
    expect(play("CronDelete", { id: "042a8223" }, "Cancelled", { id: "042a8223" })).toEqual({
      kind: "schedule",
      operation: "delete",
      id: "042a8223",
      output: { text: "Cancelled" },
    });
  });

  test("[TL80] a wake-up is set and called off", () => {
    const set = { scheduledFor: 1794737100000, clampedDelaySeconds: 600 };
    expect(play("ScheduleWakeup", { delaySeconds: 600, reason: "wait" }, "", set)).toMatchObject({
      operation: "wakeup",
      delaySeconds: 600,
      output: { nextAtMs: 1794737100000 },
    });
    const off = { scheduledFor: 0, stopped: true, cancelledWakeups: 1 };
    const payload = play("ScheduleWakeup", { stop: true }, "Loop stopped", off);
    expect(payload).toMatchObject({ stop: true, output: { text: "Loop stopped", stopped: true } });
    expect(JSON.stringify(payload)).not.toContain("nextAtMs");
  });

  test("[TL80] a worktree is entered and left", () => {
    const entered = { worktreePath: "/w/wt", worktreeBranch: "worktree-wt", message: "Created" };
    expect(play("EnterWorktree", { name: "wt" }, "…", entered)).toEqual({
      kind: "worktree",
      operation: "enter",
      name: "wt",
      output: { message: "Created", path: "/w/wt", branch: "worktree-wt" },
    });
    const left = { ...entered, action: "remove", originalCwd: "/w", discardedFiles: 0 };
    expect(play("ExitWorktree", { action: "remove" }, "…", left)).toMatchObject({
      operation: "exit",
      action: "remove",
      output: { originalPath: "/w", discardedFiles: 0 },
    });
  });

  test("[TL80] a workflow is launched", () => {
    const structured = { status: "async_launched", taskId: "wwx", workflowName: "w", summary: "d" };
    const text = "Workflow launched in background. Task ID: wwx\nSummary: d";
    const payload = play("Workflow", { script: "return 1;" }, text, structured);
    expect(payload).toMatchObject({
      script: "return 1;",
      output: { launched: true, taskId: "wwx", name: "w", summary: "d" },
    });
    expect(play("Workflow", { script: "return 1;" }, text)).toMatchObject({
      output: { launched: true, taskId: "wwx" },
    });
  });
});
