import { type Message, extractErrorMessage } from "@signalbox/protocol";
import { blockRef, type ContentPart, type Lane, MAIN } from "../event.ts";
import { noteUsage } from "./context.ts";
import { findAttempt, removeRepeated, excerptText } from "./attempts.ts";
import type { Draft } from "./draft.ts";
import { present, text } from "./fields.ts";
import {
  findOrCreateMessage,
  newMessage,
  findOpenMessage,
  openMessage,
  setBlock,
  placeholderId,
} from "./lanes.ts";
import { isRepeated } from "./recent-messages.ts";
import { toLane, type OpenMessage } from "./state.ts";
import { toBlockKind } from "./streaming.ts";
import { onResultBlock, onToolCall } from "./tools.ts";
import { beginTurn } from "./turns.ts";

/** The model's name when the program itself writes in its place. */
const SYNTHETIC = "<synthetic>";

/** A complete message, or one block of it: settles what was streamed. */
export function onAssistant(draft: Draft, line: Message<"assistant">): void {
  const { uuid, message } = line;
  if (isRepeated(draft, uuid, message.content)) return;
  const lane = toLane(line.parent_tool_use_id);
  if (lane === MAIN) beginTurn(draft);
  if (message.model === SYNTHETIC && lane === MAIN && onSynthetic(draft, line)) return;
  if (lane === MAIN && message.model !== SYNTHETIC) draft.state.pendingUuid = uuid ?? null;
  noteMessage(draft, lane, line);
  if (typeof message.content === "string") {
    settleBlock(draft, lane, uuid, { type: "text", text: message.content });
  } else {
    for (const block of message.content) settleBlock(draft, lane, uuid, block);
    if (message.content.length === 0) {
      draft.emit({ type: "notice", level: "info", text: "an empty message" });
    }
  }
  if (lane === MAIN && message.model !== SYNTHETIC) noteModel(draft, line);
}

/**
 * Text that the program itself writes: why the turn failed (which the end of the turn reports),
 * what went wrong, or the output of a command.
 */
function onSynthetic(draft: Draft, line: Message<"assistant">): boolean {
  const content = readText(line.message.content);
  const { state } = draft;
  if (line.error !== undefined || line["is_api_error_message"] === true) {
    state.failure = extractErrorMessage(content);
    draft.emit({ type: "turn-failed", turn: state.turn, error: state.failure });
    return true;
  }
  if (content.startsWith("API Error: ")) {
    draft.emit({ type: "notice", level: "error", text: extractErrorMessage(content) });
    return true;
  }
  if (line["local_command_source"] === undefined && line["local_command_run"] === undefined) {
    return false;
  }
  state.spoke = true;
  draft.emit({ type: "command-printed", text: content });
  return true;
}

export function readText(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => text(part["text"]) ?? "").join("");
}

function noteMessage(draft: Draft, lane: Lane, line: Message<"assistant">): void {
  const { state } = draft;
  const { id } = line.message;
  const open = findOpenMessage(state, lane);
  if (open && isSameMessage(open, id, line.uuid)) return;
  const messageId = id ?? line.uuid ?? `made-${++state.made}`;
  // A message that is complete at once has a stop reason.
  const whole = text(line.message["stop_reason"]) !== undefined;
  const attempt = open && whole ? findAttempt(open) : [];
  openMessage(draft, { ...newMessage(lane, messageId), ended: whole, attempt });
  const { model } = line.message;
  if (model === undefined) draft.emit({ type: "message-started", lane, messageId });
  else draft.emit({ type: "message-started", lane, messageId, model });
}

/**
 * A line without the message's id, or of a message whose beginning was not seen, settles the open
 * message.
 */
function isSameMessage(
  open: OpenMessage,
  id: string | undefined,
  uuid: string | undefined,
): boolean {
  if (open.messageId === id) return true;
  if (id !== undefined && open.messageId !== placeholderId(open.lane)) return false;
  return open.blocks.some((block) => !block.settled) || (id ?? uuid) === undefined;
}

function settleBlock(draft: Draft, lane: Lane, uuid: string | undefined, block: ContentPart): void {
  // A tool that ran on the model's side has its result beside the call: `web_search_tool_result`.
  if (block.type.endsWith("tool_result")) return onResultBlock(draft, lane, block, undefined);
  const kind = toBlockKind(block.type);
  const open = findOrCreateMessage(draft.state, lane);
  const callId = kind === "tool" ? text(block["id"]) : undefined;
  const index = findBlockIndex(open, kind, callId);
  const at = blockRef(lane, open.messageId, index);
  const id = at.block;
  if (kind === "tool") {
    const call = { kind, settled: true, id } as const;
    setBlock(draft, open, index, callId === undefined ? call : { ...call, callId });
    return onToolCall(draft, at, block, uuid);
  }
  const { messageId } = at;
  const whole = text(block["text"]) ?? text(block["thinking"]) ?? "";
  setBlock(draft, open, index, { kind, settled: true, id, words: excerptText(whole) });
  const newText = removeRepeated(open.attempt[index], kind, whole);
  if (newText === "" && whole !== "") {
    return draft.emit({ type: "message-repeated", uuid: uuid ?? messageId });
  }
  if (lane === MAIN && kind === "text" && newText !== "") draft.state.spoke = true;
  const content = kind === "other" ? block : undefined;
  draft.emit(
    present({
      type: "block-settled" as const,
      lane,
      messageId,
      index,
      block: id,
      kind,
      text: newText,
      uuid,
      content,
    }),
  );
}

/**
 * Finds the streamed block that this one completes: the same call, or the first open one of its
 * kind.
 */
function findBlockIndex(open: OpenMessage, kind: string, callId: string | undefined): number {
  const same = open.blocks.findIndex((block) =>
    callId === undefined ? block.kind === kind && !block.settled : block.callId === callId,
  );
  return same === -1 ? open.blocks.length : same;
}

function noteModel(draft: Draft, line: Message<"assistant">): void {
  const { model, usage } = line.message;
  const { state } = draft;
  if (model !== undefined) {
    if (state.mainModel !== null && model !== state.mainModel) {
      draft.emit({ type: "model-changed", model });
    }
    state.mainModel = model;
  }
  noteUsage(draft, usage);
}
