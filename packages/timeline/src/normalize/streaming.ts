import type { Message } from "@signalbox/protocol";
import {
  type BlockKind,
  type BlockRef,
  blockRef,
  type Lane,
  MAIN,
  type TimelineEvent,
} from "../event.ts";
import { contextEvent, readUsage, sameUsage } from "./context.ts";
import { number, object, own, present, text } from "./fields.ts";
import { laneOf, type NormalizeState, type OpenMessage, rememberId, withMessage } from "./state.ts";
import { type Step, step, andThen } from "./step.ts";
import { beginTurn } from "./turns.ts";

/** No message has more; what counts further is put on the last. */
const MOST_BLOCKS = 1000;

/** A message as it is being written. */
export function onStreamEvent(state: NormalizeState, line: Message<"stream_event">): Step {
  const lane = laneOf(line.parent_tool_use_id);
  const { event } = line;
  if (own(state.messages, lane)?.repeated === true && event.type !== "message_start") {
    return step(state, { type: "control-passed", from: "agent", what: "repeated stream_event" });
  }
  switch (event.type) {
    case "content_block_delta":
      return onDelta(state, lane, event);
    case "message_start":
      return andThen(beginIn(state, lane), (begun) =>
        onMessageStart(begun, lane, object(event["message"])),
      );
    case "content_block_start":
      return onBlockStart(state, lane, event);
    case "content_block_stop":
      return step(state, { type: "block-ended", ...refTo(state, lane, event["index"]) });
    case "message_delta":
      return onMessageDelta(state, lane, event);
    case "message_stop":
      return onMessageStop(state, lane);
    default:
      return step(state, {
        type: "control-passed",
        from: "agent",
        what: `stream_event/${event.type}`,
      });
  }
}

function beginIn(state: NormalizeState, lane: Lane): Step {
  return lane === MAIN ? beginTurn(state) : step(state);
}

function onMessageStart(state: NormalizeState, lane: Lane, message: Record<string, unknown>): Step {
  const messageId = text(message["id"]) ?? `made-${state.made + 1}`;
  if (state.recentIds.includes(messageId)) {
    const again = withMessage(state, lane, { messageId, blocks: [], repeated: true });
    return step(again, { type: "message-repeated", uuid: messageId });
  }
  const open: OpenMessage = { messageId, blocks: [], usage: readUsage(message["usage"]) };
  const made = text(message["id"]) === undefined ? state.made + 1 : state.made;
  const model = text(message["model"]);
  return step(
    { ...withMessage(state, lane, open), made },
    present({ type: "message-started" as const, lane, messageId, model }),
  );
}

function onBlockStart(state: NormalizeState, lane: Lane, event: Record<string, unknown>): Step {
  const content = object(event["content_block"]);
  const kind = kindOf(content["type"]);
  const callId = kind === "tool" ? text(content["id"]) : undefined;
  const at = refTo(state, lane, event["index"]);
  const open = openIn(state, lane);
  const blocks = [...open.blocks];
  for (let i = blocks.length; i < Math.min(at.index, MOST_BLOCKS); i++) {
    blocks.push({ kind: "other", settled: true, id: blockRef(lane, open.messageId, i).block });
  }
  blocks[Math.min(at.index, MOST_BLOCKS)] = present({ kind, callId, settled: false, id: at.block });
  const messages = { ...state.messages, [lane]: { ...open, blocks } };
  const name = kind === "tool" ? text(content["name"]) : undefined;
  return step(
    { ...state, messages },
    present({ type: "block-started" as const, ...at, kind, callId, name }),
  );
}

function onDelta(
  state: NormalizeState,
  lane: Lane,
  event: { readonly [field: string]: unknown },
): Step {
  const delta = object(event["delta"]);
  const said = delta["text"] ?? delta["thinking"] ?? delta["partial_json"];
  const { messageId, index, block } = refTo(state, lane, event["index"]);
  const text = typeof said === "string" ? said : "";
  const grown: TimelineEvent = { type: "block-grew", lane, messageId, index, block, text };
  const spoke = lane === MAIN && typeof delta["text"] === "string" && !state.spoke;
  return { state: spoke ? { ...state, spoke: true } : state, events: [grown] };
}

function onMessageStop(state: NormalizeState, lane: Lane): Step {
  const { messageId } = openIn(state, lane);
  const recentIds = rememberId(state, messageId);
  return step({ ...state, recentIds }, { type: "message-ended", lane, messageId });
}

function onMessageDelta(state: NormalizeState, lane: Lane, event: Record<string, unknown>): Step {
  const { messageId, usage: before } = openIn(state, lane);
  const stopReason = text(object(event["delta"])["stop_reason"]);
  const ended = present({ type: "message-ended" as const, lane, messageId, stopReason });
  if (lane !== MAIN) return step(state, ended);
  const usage = readUsage(event["usage"], before);
  if (sameUsage(state.usage, usage)) return step(state, ended);
  const next = { ...state, usage };
  return step(next, ended, ...contextEvent(next));
}

function openIn(state: NormalizeState, lane: Lane): OpenMessage {
  return own(state.messages, lane) ?? { messageId: `open-${lane}`, blocks: [] };
}

function refTo(state: NormalizeState, lane: Lane, value: unknown): BlockRef {
  const { messageId, blocks } = openIn(state, lane);
  const index = Math.max(0, Math.trunc(number(value) ?? 0));
  const block = blocks[index]?.id;
  return block === undefined ? blockRef(lane, messageId, index) : { lane, messageId, index, block };
}

export function kindOf(type: unknown): BlockKind {
  if (type === "text" || type === "thinking") return type;
  return type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use"
    ? "tool"
    : "other";
}
