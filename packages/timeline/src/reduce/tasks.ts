import type { TimelineEvent } from "../event.ts";
import type { ItemDraft } from "./draft.ts";
import { isOverTask, isSettled } from "./ends.ts";
import type { BackgroundWork, Item, ItemOfKind } from "../item.ts";

type TaskMoved = Extract<TimelineEvent, { type: "task-moved" }>;

/** Background tasks. If a call waits for a task, the call reports about it. */
export function onTask(draft: ItemDraft, event: TaskMoved): void {
  if (event.foreground) return;
  onWork(draft, event);
  const { taskId, runId, callId, lane, description, progress, summary, outputFile } = event;
  const id = `task-${taskId}${runId === undefined ? "" : `-${runId}`}`; // The task may be run again.
  const status = readTaskStatus(event);
  const news = {
    ...(status !== undefined && { status }),
    ...(description !== undefined && { description }),
    ...(progress !== undefined && { progress }),
    ...(summary !== undefined && { summary }),
    ...(outputFile !== undefined && { outputFile }),
    ...(callId !== undefined && { callId }),
  };
  const known = draft.find("task", id);
  const ended = findTaskEnd(draft, known, status);
  if (known) return draft.change(known, { ...news, ...ended }, event.state !== "notified");
  const body = {
    ...draft.under(lane),
    kind: "task",
    description: description ?? taskId,
    status: status ?? "running",
    ...news,
    ...ended,
  } as const;
  if (event.state === "started") draft.create(id, body, true);
  else if (event.state === "notified") draft.addNotice(body);
}

/** When the task ended: the first time that its end is reported. */
function findTaskEnd(
  { now }: ItemDraft,
  known: ItemOfKind<"task"> | undefined,
  status = "",
): { endedAt?: number } {
  if (now === null || known?.endedAt !== undefined || !isOverTask(status)) return {};
  return { endedAt: now };
}

function readTaskStatus({ status, state }: TaskMoved): string | undefined {
  return status ?? (state === "started" ? "running" : undefined);
}

/** The call that started the task shows its progress, even after the call itself is settled. */
function onWork(draft: ItemDraft, event: TaskMoved): void {
  const { taskId, callId, state, progress, summary, tokens, toolUses, durationMs } = event;
  const call = draft.open.findLast((item) => isCallOfTask(item, taskId)) ?? draft.call(callId);
  if (call?.kind !== "tool") return;
  const background: BackgroundWork = {
    ...(call.background ?? { taskId, status: "running" }),
    ...(event.status !== undefined && { status: event.status }),
    ...(progress !== undefined && { progress }),
    ...(summary !== undefined && state === "notified" && { summary }),
    ...(tokens !== undefined && { tokens }),
    ...(toolUses !== undefined && { toolUses }),
    ...(durationMs !== undefined && { durationMs }),
  };
  const isReported = isSettled(call) && state === "notified" && isOverTask(background.status);
  draft.change<ItemOfKind<"tool">>(call, { background }, !isReported);
}

function isCallOfTask(item: Item, taskId: string): item is ItemOfKind<"tool"> {
  return item.kind === "tool" && item.background?.taskId === taskId;
}
