import type { Message, SystemMessage } from "@signalbox/protocol";
import { findLane } from "./asks.ts";
import type { Draft } from "./draft.ts";
import { number, object, present, text } from "./fields.ts";
import { extractTag } from "../tool-payload/content.ts";
import type { ToolPayload } from "../tools/index.ts";
import { appendBounded } from "./recent-messages.ts";
import type { BackgroundTask, NormalizeState, OpenTool, Subagent } from "./state.ts";
import { endLane } from "./tools.ts";
import { readSubagent, findSubagentByName } from "./asking-subagent.ts";

const states = {
  task_started: "started",
  task_progress: "progress",
  task_updated: "updated",
  task_notification: "notified",
} as const;

type TaskMessage = SystemMessage<keyof typeof states>;

/** More tasks than any agent has at once. */
const MAX_TASKS = 64;

/** Tasks run beside the conversation: a subagent, a command in the background, a workflow. */
export function onTask(draft: Draft, message: TaskMessage): void {
  const { state } = draft;
  const { task_id: taskId, tool_use_id: callId } = message;
  const patch = object(message["patch"]);
  const move = states[message.subtype];
  if (move === "started") noteTask(draft, message);
  if (patch["is_backgrounded"] === true) {
    state.foreground = state.foreground.filter((id) => id !== taskId);
  }
  if (move === "started" || patch["is_backgrounded"] === true) noteBackgroundTask(draft, message);
  const agent = state.agents.find((known) => known.taskId === taskId);
  const place = findCallOfTask(state, taskId, callId);
  const description = text(message["description"]);
  const usage = object(message["usage"]);
  draft.emit(
    present({
      type: "task-moved" as const,
      state: move,
      taskId,
      runId: message.run_id,
      ...place,
      foreground: state.foreground.includes(taskId),
      // In progress messages the agent describes the current step in this field instead of the
      // task.
      description: move === "progress" ? undefined : (description ?? text(patch["description"])),
      progress: move === "progress" ? description : undefined,
      status: text(message["status"]) ?? text(patch["status"]),
      summary: text(message["summary"]),
      outputFile: text(message["output_file"]) || undefined,
      tokens: number(usage["total_tokens"]),
      toolUses: number(usage["tool_uses"]),
      durationMs: number(usage["duration_ms"]),
    }),
  );
  if (move !== "notified") return;
  state.reported = !state.inTurn;
  state.foreground = state.foreground.filter((id) => id !== taskId);
  dropTask(draft, taskId);
  endLane(draft, agent?.lane ?? callId ?? "");
}

/** Finds the call behind a task, which not every message names, and that call's lane. */
function findCallOfTask(state: NormalizeState, taskId: string, named?: string) {
  const agent = state.agents.find((known) => known.taskId === taskId);
  const callId = named ?? agent?.callId;
  const lane = agent && callId === agent.callId ? agent.under : findLane(state, callId);
  return { callId, lane };
}

/** A task that no call waits for runs in the background, even if no list says so. */
function noteBackgroundTask(draft: Draft, message: TaskMessage): void {
  const { state } = draft;
  const { task_id: taskId, run_id: runId } = message;
  if (state.foreground.includes(taskId)) return;
  if (state.tasks.some((task) => task.taskId === taskId)) {
    if (runId === undefined) return;
    state.tasks = state.tasks.map((task) => (task.taskId === taskId ? { ...task, runId } : task));
    return;
  }
  const patch = object(message["patch"]);
  const description = text(message["description"]) ?? text(patch["description"]);
  const task = present({ taskId, description, kind: text(message["task_type"]), runId });
  emitTasks(draft, appendBounded(state.tasks, task, MAX_TASKS));
}

function dropTask(draft: Draft, taskId: string): void {
  const { tasks } = draft.state;
  const others = tasks.filter((task) => task.taskId !== taskId);
  if (others.length < tasks.length) emitTasks(draft, others);
}

/**
 * If the call of a subagent has its whole answer, it was waited for, even if no message says so.
 */
export function endAwaitedTask(draft: Draft, callId: string): void {
  const { agents } = draft.state;
  for (const { taskId, lane } of agents) if (lane === callId) dropTask(draft, taskId);
}

/** 2.1.7 reports the start of a task only in the result of the call that launches it. */
export function onLaunched(draft: Draft, call: OpenTool, taskId: string): void {
  const { state } = draft;
  if (state.agents.some((known) => known.taskId === taskId)) return;
  const { callId, lane, payload } = call;
  const description =
    (payload.kind === "shell_exec" ? payload.description : undefined) ?? call.title;
  const agent = present({ taskId, lane: callId, callId, under: lane, who: readSubagent(payload) });
  state.agents = appendBounded(state.agents, agent, MAX_TASKS);
  const event = { type: "task-moved", state: "started", taskId, callId, lane } as const;
  draft.emit({ ...event, foreground: false, description });
  emitTasks(draft, appendBounded(state.tasks, { taskId, description }, MAX_TASKS));
}

/** 2.1.7 reports the end of a task only in text that is sent in the user's name. */
export function onTaskText(draft: Draft, content: string, line: Message<"user">): void {
  const { state } = draft;
  const taskId = extractTag(content, "task-id") ?? "";
  // 2.1.325 has already reported the end, and now tells the model that somebody stopped the task.
  const { kind, runId } = object(line["origin"]);
  if (kind === "task-notification" && !state.tasks.some((task) => task.taskId === taskId)) {
    return draft.emit({ type: "control-passed", from: "agent", what: "task-notification" });
  }
  const agent = state.agents.find((known) => known.taskId === taskId);
  draft.emit(
    present({
      type: "task-moved" as const,
      state: "notified" as const,
      taskId,
      runId: text(runId),
      ...findCallOfTask(state, taskId),
      foreground: false,
      status: extractTag(content, "status"),
      summary: extractTag(content, "result") ?? extractTag(content, "summary"),
      outputFile: extractTag(content, "output-file"),
    }),
  );
  dropTask(draft, taskId);
  if (agent) endLane(draft, agent.lane);
}

const FINAL_STATUS = /^(?:completed|failed|killed|stopped)$/;

/** A task that was stopped, or polled and found to have ended, no longer runs. */
export function onTaskPolled(
  draft: Draft,
  { operation, taskId, output }: Extract<ToolPayload, { kind: "background_shell" }>,
): void {
  const { tasks } = draft.state;
  const status = operation === "stop" ? "stopped" : (output?.status ?? "");
  const others = tasks.filter((task) => task.taskId !== taskId);
  if (taskId === undefined || !FINAL_STATUS.test(status) || others.length === tasks.length) return;
  const place = findCallOfTask(draft.state, taskId);
  const event = { type: "task-moved", state: "updated", taskId, ...place } as const;
  draft.emit(present({ ...event, foreground: false, status }));
  emitTasks(draft, others);
}

function emitTasks(draft: Draft, tasks: readonly BackgroundTask[]): void {
  draft.state.tasks = tasks;
  const listed = tasks.map(({ taskId, description, kind }) =>
    present({ taskId, description, kind }),
  );
  draft.emit({ type: "tasks-changed", tasks: listed });
}

function noteTask({ state }: Draft, message: TaskMessage): void {
  const { task_id: taskId, tool_use_id: callId } = message;
  if (message["is_backgrounded"] === false && !state.foreground.includes(taskId)) {
    state.foreground = appendBounded(state.foreground, taskId, MAX_TASKS);
  }
  if (callId === undefined) return;
  // A subagent that is woken again writes in the lane of its first run, whichever call wakes it.
  const known = state.agents.find((agent) => agent.taskId === taskId);
  const lane = known?.lane ?? callId;
  const who = known?.who ?? readTaskAgent(message);
  const agent = present({ taskId, lane, callId, under: findLane(state, callId), who });
  const others = state.agents.filter((known) => known.taskId !== taskId);
  state.agents = appendBounded(others, agent, MAX_TASKS);
}

function readTaskAgent(message: TaskMessage): Subagent | undefined {
  const type = text(message["subagent_type"]);
  return type === undefined ? undefined : findSubagentByName(type, text(message["description"]));
}

/**
 * The list of running tasks. A task that is no longer on it and reported no end of its own has
 * ended.
 */
export function onTasks(draft: Draft, message: SystemMessage<"background_tasks_changed">): void {
  const { state } = draft;
  const before = state.tasks;
  const tasks = message.tasks
    .filter(({ task_id }) => !state.foreground.includes(task_id))
    .map((task) =>
      present({
        taskId: task.task_id,
        description: text(task["description"]),
        kind: text(task["task_type"]),
        runId: before.find(({ taskId }) => taskId === task.task_id)?.runId,
      }),
    );
  // A task that reports its own end is taken off the list before the list comes.
  if (JSON.stringify(tasks) === JSON.stringify(before)) {
    return draft.emit({ type: "control-passed", from: "agent", what: message.subtype });
  }
  emitTasks(draft, tasks);
  for (const task of before) {
    if (!tasks.some(({ taskId }) => taskId === task.taskId)) endUnreportedTask(draft, task);
  }
}

function endUnreportedTask(draft: Draft, { taskId, runId }: BackgroundTask): void {
  const agent = draft.state.agents.find((known) => known.taskId === taskId);
  const place = findCallOfTask(draft.state, taskId);
  const event = { type: "task-moved", state: "updated", taskId, status: "stopped" } as const;
  draft.emit(present({ ...event, runId, ...place, foreground: false }));
  if (agent) endLane(draft, agent.lane);
}
