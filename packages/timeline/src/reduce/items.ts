import { MAIN, type TimelineEvent } from "../event.ts";
import { MAX_MISSED } from "../normalize/tools.ts";
import type { ToolPayload } from "../tools/index.ts";
import { onAnswered, onAsked, onCancelled } from "./asks.ts";
import type { ItemDraft } from "./draft.ts";
import { endOpen, isMissed, isSettled, onRunEnded, onTurnEnded } from "./ends.ts";
import { appendText, isBlock } from "./growth.ts";
import type { ItemBody, ItemOfKind } from "../item.ts";
import { createNotice } from "./notices.ts";
import { onTask } from "./tasks.ts";
import { getCallTitle } from "./titles.ts";

type EventOfType<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

/** Turns an event into changes of items. */
export function applyEvent(draft: ItemDraft, event: TimelineEvent): void {
  switch (event.type) {
    case "block-started":
      return onBlockStarted(draft, event);
    case "block-grew":
      return onBlockGrew(draft, event);
    case "block-cut": {
      const cut = draft.open.findLast((open) => isBlock(open, event.block));
      return cut && endOpen(draft, cut);
    }
    case "block-settled":
      return onBlockSettled(draft, event);
    case "tool-called":
      return onToolCalled(draft, event);
    case "tool-updated":
      return onToolUpdated(draft, event);
    case "tool-marked":
      return onToolMarked(draft, event);
    case "tool-progressed": {
      const { elapsedSeconds } = event;
      return draft.change(draft.call(event.callId), { elapsedSeconds }, true);
    }
    case "turn-started":
      draft.turn = event.turn;
      draft.inTurn = true;
      return;
    case "turn-ended":
      return onTurnEnded(draft, event);
    case "user-said":
      return onUserMessage(draft, event);
    case "user-replayed":
      return onArrived(draft, event.uuid);
    case "command-moved": {
      const isOver = event.state === "completed" || event.state === "cancelled";
      const prompt = draft.find("prompt", event.uuid);
      return draft.change(prompt, { state: event.state, arrived: true }, !isOver);
    }
    case "permission-asked":
      return onAsked(draft, event);
    case "permission-answered":
      return onAnswered(draft, event);
    case "permission-cancelled":
      return onCancelled(draft, event);
    case "task-moved":
      return onTask(draft, event);
    case "hook-moved":
      return onHook(draft, event);
    case "compaction-started":
      return onCompacting(draft);
    case "compaction-ended":
      return onCompacted(draft, event);
    case "context-compacted-summary":
      return onSummary(draft, event);
    case "run-ended":
      return onRunEnded(draft, event);
    case "opaque-received": {
      const { kind, name, raw } = event;
      return draft.addNotice({ kind: "opaque", why: event.why ?? kind, name, raw });
    }
    default: {
      const body = createNotice(event);
      if (body) draft.addNotice(body);
    }
  }
}

function onBlockStarted(draft: ItemDraft, event: EventOfType<"block-started">): void {
  const { block, kind } = event;
  const parent = draft.under(event.lane, event.callId);
  const before = draft.find("said", event.callId ?? block);
  if (before?.kind === "tool" && before.block !== block) endOpen(draft, before);
  if (kind === "tool") {
    const name = event.name ?? "unnamed";
    const body = { kind, name, title: name, status: "preparing", inputText: "", block } as const;
    return draft.put(event.callId ?? block, { ...parent, ...body }, true);
  }
  if (kind === "other") {
    const body = { kind: "block", block: { type: "unknown" }, live: true } as const;
    return draft.put(block, { ...parent, ...body }, true);
  }
  draft.put(block, { ...parent, kind, text: "", live: true }, true);
}

function onBlockGrew(draft: ItemDraft, { block, text }: EventOfType<"block-grew">): void {
  const item = draft.open.findLast((open) => isBlock(open, block));
  const grown = item && appendText(item, text, item.rev);
  if (grown) draft.change(item, grown, true);
}

function onBlockSettled(draft: ItemDraft, event: EventOfType<"block-settled">): void {
  const { kind, text } = event;
  const body: ItemBody =
    kind === "text"
      ? { kind, text, live: false }
      : kind === "thinking"
        ? { kind, text, live: false, ...(draft.now !== null && { endedAt: draft.now }) }
        : { kind: "block", block: event.content ?? { type: "unknown" }, live: false };
  const settledBody = event.lane === MAIN ? body : { ...draft.under(event.lane), ...body };
  draft.put(event.block, settledBody, false);
}

function onToolCalled(draft: ItemDraft, event: EventOfType<"tool-called">): void {
  const { callId, lane, name, payload } = event;
  const title = getCallTitle(draft.summary, event);
  const body = { kind: "tool", name, title, status: "running", payload } as const;
  const before = draft.find("said", callId);
  if (before && isSettled(before)) draft.close(before.id);
  draft.put(callId, lane === MAIN ? body : { ...draft.under(lane, callId), ...body }, true);
}

function onToolUpdated(draft: ItemDraft, event: EventOfType<"tool-updated">): void {
  const { callId, status, payload, title } = event;
  const goesOn = status === "running";
  const missed = event.missed === true;
  const news: { -readonly [K in keyof ItemOfKind<"tool">]?: ItemOfKind<"tool">[K] } = {
    status,
    payload,
  };
  if (title !== undefined) news.title = title;
  if (!goesOn && draft.now !== null) news.endedAt = draft.now;
  const call = draft.call(callId);
  if (call && !goesOn && hasLane(payload)) draft.keepLane(call, callId);
  const works = call?.background !== undefined;
  draft.change(call, news, goesOn || missed || works);
  const waiting = missed ? draft.open.filter(isMissed) : [];
  const [oldest] = waiting;
  if (oldest && waiting.length > MAX_MISSED) draft.close(oldest.id);
}

/** If the call is no longer shown, or not yet, a warning is shown by itself. */
function onToolMarked(
  draft: ItemDraft,
  { callId, how, text, ran }: EventOfType<"tool-marked">,
): void {
  const call = draft.call(callId);
  const mark = { how, text, ...(ran !== undefined && { ran }) };
  if (call) draft.change(call, { mark }, true);
  else draft.addNotice({ kind: "notice", level: "warning", text, details: mark });
}

/** Whether subagents may write under a call. */
function hasLane({ kind }: ToolPayload): boolean {
  return kind === "subagent_task" || kind === "skill" || kind === "workflow";
}

/** A prompt belongs to the turn that it causes, or to the turn during which it is sent. */
function onUserMessage(draft: ItemDraft, event: EventOfType<"user-said">): void {
  const { uuid, lane, content, context, origin } = event;
  const isFromAgent = origin === "agent";
  const body = {
    ...draft.under(lane),
    kind: "prompt",
    content,
    ...(context && { context }),
    origin,
    arrived: isFromAgent,
  } as const;
  draft.create(uuid, body, !isFromAgent, isFromAgent ? draft.turn : draft.nextTurn);
}

/** A prompt that has reached the agent is settled, unless the agent keeps reporting its state. */
function onArrived(draft: ItemDraft, uuid: string): void {
  const prompt = draft.find("prompt", uuid);
  if (!prompt) return;
  const turn = draft.inTurn ? draft.turn : prompt.turn;
  if (prompt.arrived && turn === prompt.turn) return;
  draft.change(prompt, { arrived: true, turn }, prompt.state !== undefined);
}

function onHook(draft: ItemDraft, event: EventOfType<"hook-moved">): void {
  const { hookId, name, event: hook, state, output, outcome, exitCode } = event;
  const body = {
    kind: "hook",
    name,
    event: hook,
    state,
    ...(output !== undefined && { output }),
    ...(outcome !== undefined && { outcome }),
    ...(exitCode !== undefined && { exitCode }),
  } as const;
  // Without an id it is unknown which task reports, so each report is shown by itself.
  if (hookId === undefined) draft.addNotice(body);
  else draft.put(`hook-${hookId}`, body, state !== "ended");
}

/** A compaction that never ended has ended when the next one begins. */
function onCompacting(draft: ItemDraft): void {
  for (const item of draft.open) if (item.kind === "compaction") endOpen(draft, item);
  const body = { kind: "compaction", state: "running" } as const;
  draft.createWithId(`compaction-${draft.nextOrder}`, body, true, draft.nextTurn);
}

/** The item stays open for the summary, which comes next. */
function onCompacted(draft: ItemDraft, event: EventOfType<"compaction-ended">): void {
  const { type: _, ...facts } = event;
  const state = facts.error === undefined ? "done" : "failed";
  const open = draft.open.findLast((item) => item.kind === "compaction");
  const body = { kind: "compaction", state, ...facts } as const;
  const stays = state === "done";
  if (open) draft.replace(open, body, stays);
  else draft.createWithId(`compaction-${draft.nextOrder}`, body, stays);
}

function onSummary(draft: ItemDraft, event: EventOfType<"context-compacted-summary">): void {
  const open = draft.open.findLast((item) => item.kind === "compaction");
  if (open) draft.change(open, { summary: event.text }, false);
  else draft.addNotice({ kind: "notice", level: "summary", text: event.text });
}
