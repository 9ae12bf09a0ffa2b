import type { TimelineEvent } from "../event.ts";
import type { ItemDraft } from "./draft.ts";

/** Work in the background; what a call waits for is told by the call. */
export function onTask(
  draft: ItemDraft,
  event: Extract<TimelineEvent, { type: "task-moved" }>,
): void {
  if (event.foreground) return;
  const { taskId, runId, callId, lane, description, progress, summary, outputFile } = event;
  const id = `task-${taskId}${runId === undefined ? "" : `-${runId}`}`; // it may be run again
  const status = event.status ?? (event.state === "started" ? "running" : undefined);
  const news = {
    ...(status !== undefined && { status }),
    ...(description !== undefined && { description }),
    ...(progress !== undefined && { progress }),
    ...(summary !== undefined && { summary }),
    ...(outputFile !== undefined && { outputFile }),
    ...(callId !== undefined && { callId }),
  };
  const known = draft.find("task", id);
  if (known) return draft.change(known, news, event.state !== "notified");
  const body = {
    ...draft.under(lane),
    kind: "task",
    description: description ?? taskId,
    status: status ?? "running",
    ...news,
  } as const;
  if (event.state === "started") draft.create(id, body, true);
  else draft.note(body);
}
