import type { TimelineEvent } from "../event.ts";
import { present } from "../normalize/fields.ts";
import { MAX_LOST } from "../normalize/prompts.ts";
import type { ItemDraft } from "./draft.ts";
import type { Item, ItemOfKind } from "../item.ts";
import { isFinished, isGrowing } from "../view/growing.ts";

export function onTurnEnded(
  draft: ItemDraft,
  event: Extract<TimelineEvent, { type: "turn-ended" }>,
): void {
  const { type: _, turn, ...facts } = event;
  for (const item of draft.open) {
    if (item.parent !== undefined) continue;
    // A message that never became complete keeps the text that was written.
    if (endsWithTurn(item)) endOpen(draft, item);
    else if (isOver(item)) draft.close(item.id);
  }
  for (const isWaiting of [isHook, isDoneTask, isDoneWork, isDeliveredPrompt]) {
    for (const item of draft.open.filter(isWaiting).slice(0, -MAX_UNREPORTED)) endOpen(draft, item);
  }
  for (const item of draft.open.filter(isWorking).slice(0, -MAX_WORKING)) draft.close(item.id);
  draft.createWithId(`turn-${turn}`, { kind: "turn-end", ...facts }, false);
  draft.inTurn = false;
}

/** How many settled calls may wait for a report that often never comes. */
const MAX_UNREPORTED = 8;
/** More than any agent has running at once. */
const MAX_WORKING = 64;
const isWorking = (item: Item) => isSettled(item) && !isMissed(item);
const isHook = (item: Item) => item.kind === "hook";
const isDeliveredPrompt = (item: Item) => item.kind === "prompt" && item.arrived;
export const isOverTask = (status: string) => /^(?:completed|failed|killed|stopped)$/.test(status);
const isDoneTask = (item: Item) => item.kind === "task" && isOverTask(item.status);
const isDoneWork = (item: Item) =>
  isSettled(item) && isOverTask((item as ItemOfKind<"tool">).background?.status ?? "");

/** Whether an item is unfinished and cannot continue after its turn has ended. */
function endsWithTurn(item: Item): boolean {
  return isGrowing(item) || (item.kind === "compaction" && item.state === "running");
}

export function isSettled(item: Item): boolean {
  return item.kind === "tool" && isFinished(item.status);
}

/**
 * A settled call that is still open only because its result is missing, not because of background
 * work.
 */
export function isMissed(item: Item): boolean {
  return isSettled(item) && item.kind === "tool" && item.background === undefined;
}

/** Ended, as far as anybody knows. */
export function endOpen(draft: ItemDraft, item: Item): void {
  const endedBody = endBody(item);
  if (endedBody) draft.change(item, endedBody, false);
  else draft.close(item.id);
}

/** Whether nothing more can be reported about an item after the end of its turn. */
function isOver(item: Item): boolean {
  if (item.kind === "ask") return item.status !== "open";
  return item.kind === "compaction" && item.state !== "running";
}

/**
 * Nothing continues without the agent: whatever seemed to run has ended. Prompts may be sent again.
 */
export function onRunEnded(
  draft: ItemDraft,
  event: Extract<TimelineEvent, { type: "run-ended" }>,
): void {
  const lost = draft.open.filter((item) => item.kind === "prompt" && !item.arrived);
  const recentItems = new Set(lost.slice(-MAX_LOST));
  for (const item of draft.open) {
    if (recentItems.has(item)) continue;
    endOpen(draft, item);
  }
  draft.inTurn = false;
  if (event.told) return;
  const { status, sentence, exitCode, signal, stderr } = event;
  const level = status === "crashed" ? "error" : "info";
  const details = present({ exitCode, signal, stderr });
  const extra = Object.keys(details).length === 0 ? {} : { details };
  draft.addNotice({ kind: "notice", level, text: sentence ?? status, ...extra });
}

function endBody(item: Item): Partial<Item> | undefined {
  if ("live" in item) return item.live ? { live: false } : undefined;
  switch (item.kind) {
    case "tool":
      return endCall(item);
    case "ask":
      return item.status === "open" ? { status: "cancelled" } : undefined;
    case "task":
      return isDoneTask(item) ? undefined : { status: "stopped" };
    case "hook":
      return { state: "ended", outcome: "cancelled" };
    case "compaction":
      return item.state === "running" ? { state: "failed" } : undefined;
    default:
      return undefined;
  }
}

function endCall(call: ItemOfKind<"tool">): Partial<ItemOfKind<"tool">> | undefined {
  const { background } = call;
  const isWorking = background !== undefined && !isOverTask(background.status);
  const ended = isWorking ? { background: { ...background, status: "stopped" } } : {};
  if (!isSettled(call)) return { status: "interrupted", ...ended };
  return isWorking ? ended : undefined;
}
