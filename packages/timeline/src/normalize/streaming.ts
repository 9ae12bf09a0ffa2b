import type { Message } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { type BlockKind, blockRef, type Lane, MAIN, type TimelineEvent } from "../event.ts";
import { noteUsage, readUsage } from "./context.ts";
import type { Draft } from "./draft.ts";
import { number, object, present, text } from "./fields.ts";
import {
  endMessage,
  findOrCreateMessage,
  newMessage,
  findOpenMessage,
  openMessage,
  createBlockRef,
  setBlock,
} from "./lanes.ts";
import { isRecentId, rememberId } from "./recent-messages.ts";
import { toLane, type NormalizeState } from "./state.ts";
import { endReused } from "./tools.ts";
import { beginTurn } from "./turns.ts";

type BlockGrew = Extract<TimelineEvent, { type: "block-grew" }>;

/** No message has more blocks. An index beyond it counts as the last block. */
const MAX_BLOCKS = 1000;

/** Handles the parts of a streamed message. Most of its deltas are read by `onPlainDelta`. */
export function onStreamEvent(draft: Draft, line: Message<"stream_event">): void {
  const lane = toLane(line.parent_tool_use_id);
  const { event } = line;
  if (findOpenMessage(draft.state, lane)?.repeated === true && event.type !== "message_start") {
    draft.emit({ type: "control-passed", from: "agent", what: "repeated stream_event" });
    return;
  }
  switch (event.type) {
    case "content_block_delta":
      return onDelta(draft, lane, event);
    case "message_start":
      return onMessageStart(draft, lane, object(event["message"]));
    case "content_block_start":
      return onBlockStart(draft, lane, event);
    case "content_block_stop":
      return draft.emit({
        type: "block-ended",
        ...createBlockRef(draft.state, lane, event["index"]),
      });
    case "message_delta":
      return onMessageDelta(draft, lane, event);
    case "message_stop": {
      const { messageId } = findOrCreateMessage(draft.state, lane);
      rememberId(draft, messageId);
      endMessage(draft, lane);
      return draft.emit({ type: "control-passed", from: "agent", what: "message_stop" });
    }
    default: {
      const what = `stream_event/${event.type}`;
      return draft.emit({ type: "control-passed", from: "agent", what });
    }
  }
}

function onMessageStart(draft: Draft, lane: Lane, message: Record<string, unknown>): void {
  const { state } = draft;
  const id = text(message["id"]);
  const messageId = id ?? `made-${++state.made}`;
  if (isRecentId(state, messageId)) {
    openMessage(draft, newMessage(lane, messageId, true));
    return draft.emit({ type: "message-repeated", uuid: messageId });
  }
  if (lane === MAIN) beginTurn(draft);
  openMessage(draft, { ...newMessage(lane, messageId), usage: readUsage(message["usage"]) });
  const model = text(message["model"]);
  draft.emit(present({ type: "message-started" as const, lane, messageId, model }));
}

function onBlockStart(draft: Draft, lane: Lane, event: Record<string, unknown>): void {
  const content = object(event["content_block"]);
  const kind = toBlockKind(content["type"]);
  const callId = kind === "tool" ? text(content["id"]) : undefined;
  const name = kind === "tool" ? text(content["name"]) : undefined;
  const open = findOrCreateMessage(draft.state, lane);
  const index = Math.min(Math.max(0, Math.trunc(number(event["index"]) ?? 0)), MAX_BLOCKS);
  const at = blockRef(lane, open.messageId, index);
  // A block that starts again is a new one; the text of the first stays.
  if (open.blocks[index]?.settled === false) draft.emit({ type: "block-cut", ...at });
  if (callId !== undefined) endReused(draft, callId, at.block);
  setBlock(draft, open, index, present({ kind, callId, settled: false, id: at.block }));
  draft.emit(present({ type: "block-started" as const, ...at, kind, callId, name }));
  const initialText = kind === "text" || kind === "thinking" ? text(content[kind]) : undefined;
  if (!initialText) return;
  draft.emit({ type: "block-grew", ...at, text: initialText });
  if (lane === MAIN && kind === "text") draft.state.spoke = true;
}

function onDelta(draft: Draft, lane: Lane, event: { readonly [field: string]: unknown }): void {
  startMissedBlock(draft, lane, event);
  draft.emit(createGrewEvent(draft.state, lane, event));
  if (lane === MAIN && hasText(event)) draft.state.spoke = true;
}

/** A block whose beginning was not seen starts with its first text. */
function startMissedBlock(
  draft: Draft,
  lane: Lane,
  event: { readonly [field: string]: unknown },
): void {
  const open = findOrCreateMessage(draft.state, lane);
  const at = createBlockRef(draft.state, lane, event["index"]);
  if (at.index > MAX_BLOCKS || open.blocks[at.index]) return;
  const delta = object(event["delta"]);
  const kind = (["text", "thinking"] as const).find((kind) => text(delta[kind]));
  if (kind === undefined) return;
  if (lane === MAIN) beginTurn(draft);
  setBlock(draft, open, at.index, { kind, settled: false, id: at.block });
  draft.emit({ type: "block-started", ...at, kind });
}

function hasText(event: { readonly [field: string]: unknown }): boolean {
  return Boolean(text(object(event["delta"])["text"]));
}

/**
 * Handles a delta that has no effect on later lines, as nearly every line of a session. Returns
 * undefined for a delta that needs a draft like other lines.
 */
export function onPlainDelta(
  state: NormalizeState,
  { event, parent_tool_use_id }: Message<"stream_event">,
): BlockGrew | undefined {
  if (event.type !== "content_block_delta") return undefined;
  const { delta, index } = event as { delta?: unknown; index?: unknown };
  if (!isObject(delta) || typeof index !== "number") return undefined;
  const lane = parent_tool_use_id ?? MAIN;
  const open = findOpenMessage(state, lane);
  const block = open?.blocks[index];
  if (!open || !block || open.repeated) return undefined;
  let text = delta["text"];
  if (text === undefined) text = delta["thinking"] ?? delta["partial_json"];
  else if (!state.spoke) return undefined;
  if (typeof text !== "string") return undefined;
  return { type: "block-grew", lane, messageId: open.messageId, index, block: block.id, text };
}

function createGrewEvent(
  state: NormalizeState,
  lane: Lane,
  event: { readonly [field: string]: unknown },
): BlockGrew {
  const delta = object(event["delta"]);
  const deltaText = delta["text"] ?? delta["thinking"] ?? delta["partial_json"];
  const { messageId, index, block } = createBlockRef(state, lane, event["index"]);
  const text = typeof deltaText === "string" ? deltaText : "";
  return { type: "block-grew", lane, messageId, index, block, text };
}

function onMessageDelta(draft: Draft, lane: Lane, event: Record<string, unknown>): void {
  const { messageId, usage } = findOrCreateMessage(draft.state, lane);
  const stopReason = text(object(event["delta"])["stop_reason"]);
  draft.emit(present({ type: "message-ended" as const, lane, messageId, stopReason }));
  endMessage(draft, lane);
  if (lane === MAIN) noteUsage(draft, event["usage"], usage);
}

export function toBlockKind(type: unknown): BlockKind {
  if (type === "text" || type === "thinking") return type;
  return type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use"
    ? "tool"
    : "other";
}
