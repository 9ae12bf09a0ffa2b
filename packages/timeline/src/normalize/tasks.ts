import type { SystemMessage } from "@signalbox/protocol";
import { laneOfCall } from "./asks.ts";
import type { Draft } from "./draft.ts";
import { object, present, text } from "./fields.ts";
import { withLast } from "./memory.ts";
import { endLane } from "./tools.ts";

const states = {
  task_started: "started",
  task_progress: "progress",
  task_updated: "updated",
  task_notification: "notified",
} as const;

type TaskMessage = SystemMessage<keyof typeof states>;

/** More tasks than any agent has at once. */
const MOST_TASKS = 64;

/** Work that has a life of its own: a subagent, a command in the background, a workflow. */
export function onTask(draft: Draft, message: TaskMessage): void {
  const { state } = draft;
  const { task_id: taskId, tool_use_id: callId } = message;
  const patch = object(message["patch"]);
  const moved = states[message.subtype];
  if (moved === "started") noteTask(draft, message);
  if (patch["is_backgrounded"] === true) {
    state.foreground = state.foreground.filter((id) => id !== taskId);
  }
  const agent = state.agents.find((known) => known.taskId === taskId);
  const description = text(message["description"]);
  draft.tell(
    present({
      type: "task-moved" as const,
      state: moved,
      taskId,
      runId: message.run_id,
      callId,
      lane: laneOfCall(state, callId),
      foreground: state.foreground.includes(taskId),
      // While it goes on the agent puts there what it does, and no longer what it is.
      description: moved === "progress" ? undefined : (description ?? text(patch["description"])),
      progress: moved === "progress" ? description : undefined,
      status: text(message["status"]) ?? text(patch["status"]),
      summary: text(message["summary"]),
      outputFile: text(message["output_file"]) || undefined,
    }),
  );
  if (moved !== "notified") return;
  state.foreground = state.foreground.filter((id) => id !== taskId);
  endLane(draft, agent?.lane ?? callId ?? "");
}

function noteTask({ state }: Draft, message: TaskMessage): void {
  const { task_id: taskId, tool_use_id: lane } = message;
  if (message["is_backgrounded"] === false && !state.foreground.includes(taskId)) {
    state.foreground = withLast(state.foreground, taskId, MOST_TASKS);
  }
  // One that is woken again speaks where it spoke first, whichever call wakes it.
  if (lane !== undefined && !state.agents.some((known) => known.taskId === taskId)) {
    state.agents = withLast(state.agents, { taskId, lane }, MOST_TASKS);
  }
}

export function onTasks(draft: Draft, message: SystemMessage<"background_tasks_changed">): void {
  const { state } = draft;
  const tasks = message.tasks
    .filter(({ task_id }) => !state.foreground.includes(task_id))
    .map((task) =>
      present({
        taskId: task.task_id,
        description: text(task["description"]),
        kind: text(task["task_type"]),
      }),
    );
  state.tasks = tasks.map(({ taskId }) => taskId);
  draft.tell({ type: "tasks-changed", tasks });
}
