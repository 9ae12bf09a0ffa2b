import { describe, expect, test } from "bun:test";
import type { ItemOfKind } from "@signalbox/timeline";
import {
  after,
  agent,
  play,
  result,
  runEnded,
  type Said,
  system,
  toolResult,
  toolUse,
  uuid,
} from "./play.ts";

const started = system("task_started", {
  task_id: "b1",
  run_id: "r1",
  tool_use_id: "t1",
  description: "Wait",
  is_backgrounded: true,
});
const launched = toolResult("t1", "Command running in background with ID: b1", {
  tool_use_result: { stdout: "", stderr: "", interrupted: false, backgroundTaskId: "b1" },
});
const call = toolUse("t1", "Bash", { command: "sleep 9", run_in_background: true });
const notified = system("task_notification", {
  task_id: "b1",
  run_id: "r1",
  tool_use_id: "t1",
  status: "completed",
  summary: "It is done.",
  usage: { total_tokens: 7, tool_uses: 2, duration_ms: 90 },
});
const updated = (status: string) => system("task_updated", { task_id: "b1", patch: { status } });

function callIn(...said: Said[]): ItemOfKind<"tool"> | undefined {
  const items = after(...said).items;
  return items.find((item): item is ItemOfKind<"tool"> => item.kind === "tool");
}

describe("a call that has set something going", () => {
  test("[TL85] is settled, and shows that the work goes on", () => {
    for (const said of [
      [call, started, launched],
      [call, launched], // 2.1.7 says nothing but this
      [call, started, launched, result()],
    ]) {
      expect(callIn(...said)).toMatchObject({
        status: "complete",
        background: { taskId: "b1", status: "running" },
      });
    }
  });

  test("[TL85] shows how the work ended, turns later, with what it reported", () => {
    const said = [call, started, launched, result(), updated("completed"), result(), notified];
    expect(callIn(...said)).toMatchObject({
      status: "complete",
      background: {
        taskId: "b1",
        status: "completed",
        summary: "It is done.",
        tokens: 7,
        toolUses: 2,
        durationMs: 90,
      },
    });
    expect(after(...said).state.reduce.open).toEqual([]);
  });

  test("[TL85] also where it is over before the call has its result", () => {
    const item = callIn(call, started, updated("completed"), notified, launched);
    expect(item).toMatchObject({ status: "complete", background: { status: "completed" } });
  });

  test("[TL85] also where only words in the user's name tell of the end, or a look at the task", () => {
    const words = "<task-notification><task-id>b1</task-id><status>killed</status>";
    const content = `${words}<summary>It was killed</summary></task-notification>`;
    const told = agent({ type: "user", uuid: uuid(), message: { role: "user", content } });
    expect(callIn(call, launched, told)?.background).toMatchObject({ status: "killed" });
    const killed = "Successfully killed shell: b1 (sleep 9)";
    const stop = [toolUse("t2", "KillShell", { shell_id: "b1" }), toolResult("t2", killed)];
    expect(callIn(call, launched, ...stop)?.background).toMatchObject({ status: "stopped" });
  });

  test("[TL85] shows the work stopped when the run is over", () => {
    const { items, state } = play([call, started, launched, result(), runEnded("ended")]);
    const item = items.find(({ kind }) => kind === "tool");
    expect(item).toMatchObject({ status: "complete", background: { status: "stopped" } });
    expect(state.reduce.open).toEqual([]);
  });

  test("[TL85] has nothing of the kind where it waited itself", () => {
    const waits = system("task_started", {
      task_id: "b1",
      tool_use_id: "t1",
      is_backgrounded: false,
    });
    const task = toolUse("t1", "Task", { description: "d", prompt: "p" });
    expect(callIn(task, waits, toolResult("t1", "done"))).not.toHaveProperty("background");
  });
});

describe("what goes on in the background", () => {
  const listed = (...ids: string[]) =>
    system("background_tasks_changed", { tasks: ids.map((task_id) => ({ task_id })) });
  const activity = (...said: Said[]) => after(...said).state.normalize.activity;
  const begun = system("task_started", { task_id: "b1", tool_use_id: "t1", description: "Wait" });

  test("[TL86] begins with its start and ends with its word, where there is no list", () => {
    expect(activity(begun, result())).toBe("background");
    expect(activity(begun, result(), notified)).toBe("idle");
    expect(after(begun, result()).state.reduce.summary.tasks).toEqual([
      { taskId: "b1", description: "Wait", callId: "t1" },
    ]);
  });

  test("[TL86] ends with its word, though the list be missing that said it goes on no longer", () => {
    expect(activity(listed("b1"), started, result(), notified)).toBe("idle");
    expect(activity(listed("b1", "b2"), started, result(), notified)).toBe("background");
  });

  test("[TL86] has stopped when the list has it no longer, and a word that comes later is heard", () => {
    const said = [call, listed("b1"), started, launched, result(), listed()];
    const { items, state } = after(...said);
    expect(items.find(({ kind }) => kind === "task")).toMatchObject({ status: "stopped" });
    expect(callIn(...said)?.background).toMatchObject({ status: "stopped" });
    expect(state.normalize.activity).toBe("idle");
    const late = after(...said, notified).items.filter(({ kind }) => kind === "task");
    expect(late).toMatchObject([{ status: "completed", summary: "It is done." }]);
  });

  test("[TL86] says when it began, of which call it is, and when it was over", () => {
    const at = (seconds: number) => ({ timestamp: new Date(seconds * 1000).toISOString() });
    const list = system("background_tasks_changed", { tasks: [{ task_id: "b1" }], ...at(1) });
    const start = system("task_started", { task_id: "b1", tool_use_id: "t1", ...at(2) });
    const more = system("background_tasks_changed", {
      tasks: [{ task_id: "b1" }, { task_id: "b2" }],
      ...at(3),
    });
    const killed = (seconds: number) =>
      system("task_updated", { task_id: "b1", patch: { status: "killed" }, ...at(seconds) });
    const { state } = after(call, list, start, more);
    expect(state.reduce.summary.tasks).toEqual([
      { taskId: "b1", callId: "t1", at: 1000 },
      { taskId: "b2", at: 3000 },
    ]);
    const { items } = after(call, list, start, killed(4), killed(5));
    expect(items.find(({ kind }) => kind === "task")).toMatchObject({ at: 2000, endedAt: 4000 });
  });

  test("[TL86] has stopped once, though the model is told of it in words, too", () => {
    const content = `<task-notification><task-id>b1</task-id><status>killed</status></task-notification>`;
    const origin = { kind: "task-notification", runId: "r1" };
    const told = agent({ type: "user", uuid: uuid(), message: { role: "user", content }, origin });
    const said = [call, listed("b1"), started, launched, result(), updated("killed"), notified];
    const { items } = after(...said, listed(), told);
    expect(items.filter(({ kind }) => kind === "task")).toHaveLength(1);
    const unheard = after(call, listed("b1"), started, launched, result(), told).items;
    expect(unheard.find(({ kind }) => kind === "task")).toMatchObject({ status: "killed" });
  });

  test("[TL86] what never has its word is forgotten in time", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => [
        listed(`k${i}`),
        system("task_started", { task_id: `k${i}`, run_id: "r", tool_use_id: `u${i}` }),
        listed(),
        result(),
      ]).flat();
    expect(after(...many(100)).state.reduce.open.length).toBeLessThan(20);
  });

  test("[TL86] a list that says nothing new changes nothing", () => {
    const changes = (...said: Said[]) =>
      after(...said).events.filter(({ type }) => type === "tasks-changed");
    expect(changes(listed("b1"), started, result(), notified)).toHaveLength(2);
    expect(changes(listed("b1"), started, result(), notified, listed())).toHaveLength(2);
  });

  test("[TL87] every word about it names the call behind it, and that call's lane", () => {
    const inner = toolUse("t2", "Bash", { command: "sleep 9" }, { parent_tool_use_id: "t1" });
    const about = { task_id: "b2", run_id: "r2" };
    const moves = [
      system("task_started", { ...about, tool_use_id: "t2", is_backgrounded: true }),
      toolResult("t2", "Command running in background with ID: b2", { parent_tool_use_id: "t1" }),
      system("task_progress", { ...about, tool_use_id: "t2" }),
      system("task_updated", { ...about, patch: { status: "completed" } }),
      system("task_notification", { ...about, status: "completed" }),
    ];
    const task = toolUse("t1", "Task", { description: "d", prompt: "p" });
    const moved = after(task, inner, ...moves).events.filter(({ type }) => type === "task-moved");
    expect(moved).toHaveLength(4);
    for (const event of moved) expect(event).toMatchObject({ callId: "t2", lane: "t1" });
  });

  test("[TL87] when it is run again, the call that woke it", () => {
    const updates = after(
      call,
      started,
      launched,
      notified,
      toolUse("t2", "SendMessage", { to: "b1", message: "m" }),
      system("task_started", { task_id: "b1", run_id: "r2", tool_use_id: "t2" }),
      updated("completed"),
    ).events.filter((event) => event.type === "task-moved" && event.state === "updated");
    expect(updates).toMatchObject([{ callId: "t2", lane: "main" }]);
  });

  test("[TL26] a command has the name that it was given, also where no start is told", () => {
    const named = { command: "sleep 9", description: "Wait", run_in_background: true };
    const { summary } = after(toolUse("t1", "Bash", named), launched).state.reduce;
    expect(summary.tasks).toEqual([{ taskId: "b1", description: "Wait" }]);
  });

  test("[TL26] a subagent that its call waited for, of an agent that does not say so, is over with it", () => {
    const task = toolUse("t1", "Task", { description: "d", prompt: "p" });
    expect(activity(task, begun, toolResult("t1", "done"), result())).toBe("idle");
  });
});
