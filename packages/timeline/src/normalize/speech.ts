import type { Message } from "@signalbox/protocol";
import { blockRef, type ContentPart, type Lane, MAIN, type TimelineEvent } from "../event.ts";
import { contextEvent, readUsage, sameUsage } from "./context.ts";
import { list, object, own, present, text } from "./fields.ts";
import {
  isRecent,
  laneOf,
  type NormalizeState,
  type OpenMessage,
  remember,
  withMessage,
} from "./state.ts";
import { type Step, step, andThen } from "./step.ts";
import { kindOf } from "./streaming.ts";
import { onToolCall, onToolResult } from "./tools.ts";
import { beginTurn } from "./turns.ts";

const INTERRUPTED = /^\[Request interrupted by user/;
const LOCAL_OUTPUT = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>$/;

/** A message that is whole, or one block of it: it settles what was streamed. */
export function onAssistant(before: NormalizeState, line: Message<"assistant">): Step {
  const { uuid } = line;
  if (isRecent(before, uuid)) return step(before, { type: "message-repeated", uuid: uuid ?? "" });
  const lane = laneOf(line.parent_tool_use_id);
  const { content } = line.message;
  const blocks: ContentPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  let at: Step = lane === MAIN ? beginTurn(before) : step(before);
  at = andThen(at, (state) => noteMessage(state, lane, line));
  for (const block of blocks) at = andThen(at, (state) => settleBlock(state, lane, line, block));
  if (blocks.length === 0)
    at = andThen(at, (state) =>
      step(state, { type: "notice", level: "info", text: "an empty message" }),
    );
  return andThen(at, (state) => noteUsage(state, lane, line));
}

function noteMessage(state: NormalizeState, lane: Lane, line: Message<"assistant">): Step {
  const id = line.message.id ?? line.uuid;
  const open = own(state.messages, lane);
  const pending = lane === MAIN && line.uuid !== undefined && { pendingUuid: line.uuid };
  const common = { ...state, recent: remember(state, line.uuid), ...pending };
  if (open && (open.messageId === id || id === undefined)) return step(common);
  const messageId = id ?? `made-${state.made + 1}`;
  const next = withMessage(common, lane, { messageId, blocks: [] });
  const { model } = line.message;
  const made = id === undefined ? state.made + 1 : state.made;
  return step(
    { ...next, made },
    present({ type: "message-started" as const, lane, messageId, model }),
  );
}

function settleBlock(
  state: NormalizeState,
  lane: Lane,
  line: Message<"assistant">,
  block: ContentPart,
): Step {
  // A tool that ran at the model's side has its result beside the call: `web_search_tool_result`.
  if (block.type.endsWith("tool_result")) return toolResult(state, lane, block, undefined);
  const kind = kindOf(block.type);
  const open = own(state.messages, lane) ?? { messageId: "made-0", blocks: [] };
  const callId = kind === "tool" ? text(block["id"]) : undefined;
  const index = placeOf(open, kind, callId);
  const blocks = [...open.blocks];
  const at = blockRef(lane, open.messageId, index);
  blocks[index] = present({ kind, callId, settled: true, id: at.block });
  const messages = { ...state.messages, [lane]: { ...open, blocks } };
  const spoke = state.spoke || (lane === MAIN && kind === "text");
  const next = { ...state, messages, spoke };
  if (kind === "tool") return onToolCall(next, at, block, line.uuid);
  const said = text(block["text"]) ?? text(block["thinking"]) ?? "";
  const rest = kind === "other" ? block : undefined;
  const settled = {
    type: "block-settled" as const,
    ...at,
    kind,
    text: said,
    uuid: line.uuid,
    content: rest,
  };
  return step(next, present(settled));
}

/** The streamed block that this one completes: the same call, or the first of its kind still open. */
function placeOf(open: OpenMessage, kind: string, callId: string | undefined): number {
  const same = open.blocks.findIndex((block) =>
    callId === undefined ? block.kind === kind && !block.settled : block.callId === callId,
  );
  return same === -1 ? open.blocks.length : same;
}

function noteUsage(state: NormalizeState, lane: Lane, line: Message<"assistant">): Step {
  const { model, usage } = line.message;
  if (lane !== MAIN || model === "<synthetic>") return step(state);
  const changed: TimelineEvent[] =
    model !== undefined && state.mainModel !== undefined && model !== state.mainModel
      ? [{ type: "model-changed", model }]
      : [];
  const withModel = model === undefined ? state : { ...state, mainModel: model };
  if (!usage) return step(withModel, ...changed);
  const read = readUsage(usage);
  if (sameUsage(state.usage, read)) return step(withModel, ...changed);
  const next = { ...withModel, usage: read };
  return step(next, ...changed, ...contextEvent(next));
}

/** What stands in the user's name: prompts, replays of them, tool results, and words of the agent's. */
export function onUser(
  before: NormalizeState,
  line: Message<"user">,
  from: "agent" | "host",
): Step {
  const lane = laneOf(line.parent_tool_use_id);
  const { content } = line.message;
  const uuid = line.uuid ?? `made-${before.made + 1}`;
  const seen = isRecent(before, line.uuid);
  const state: NormalizeState = {
    ...before,
    made: line.uuid === undefined ? before.made + 1 : before.made,
    recent: remember(before, line.uuid),
    ...(lane === MAIN && line.uuid !== undefined && { lastUuid: line.uuid }),
    ...(from === "host" && { promptWaits: true }),
    waiting: stillWaiting(before, line, from),
  };
  const parts = typeof content === "string" ? [] : content;
  const results = parts.filter((part) => part.type === "tool_result");
  if (results.length > 0) {
    if (seen) return step(state, { type: "message-repeated", uuid });
    return onToolResults(state, lane, line, parts);
  }
  const said =
    typeof content === "string" ? content : parts.map((part) => text(part["text"]) ?? "").join("");
  const output = LOCAL_OUTPUT.exec(said);
  if (output) return step(state, { type: "command-printed", text: output[1] ?? "" });
  if (line.isReplay === true || seen) {
    const replayed = step(state, { type: "user-replayed", uuid });
    return seen || from === "host"
      ? replayed
      : andThen(replayed, (next) => userSaid(next, line, uuid, lane, "person"));
  }
  if (INTERRUPTED.test(said)) {
    return step({ ...state, interrupted: true }, { type: "notice", level: "info", text: said });
  }
  if (line.isSynthetic === true) return onSynthetic(state, uuid, said);
  return userSaid(state, line, uuid, lane, from === "host" ? "person" : "agent");
}

/** Words of the program's own in the user's name: after a compaction the summary, else some advice. */
function onSynthetic(state: NormalizeState, uuid: string, said: string): Step {
  if (!state.compacted) return step(state, { type: "notice", level: "info", text: said });
  const summed = { type: "context-compacted-summary" as const, uuid, text: said };
  return step({ ...state, compacted: false }, summed);
}

const MOST_WAITING = 100;

function stillWaiting(
  state: NormalizeState,
  { uuid }: Message<"user">,
  from: "agent" | "host",
): NormalizeState["waiting"] {
  if (uuid === undefined) return state.waiting;
  const others = state.waiting.filter((sent) => sent.uuid !== uuid);
  return from === "host" ? [...others.slice(1 - MOST_WAITING), { uuid, turn: state.turn }] : others;
}

function userSaid(
  state: NormalizeState,
  line: Message<"user">,
  uuid: string,
  lane: Lane,
  origin: "person" | "agent",
): Step {
  return step(state, { type: "user-said", uuid, lane, content: line.message.content, origin });
}

function onToolResults(
  state: NormalizeState,
  lane: Lane,
  line: Message<"user">,
  parts: readonly ContentPart[],
): Step {
  let at: Step = step(state);
  const only = parts.filter((part) => part.type === "tool_result").length === 1;
  const structured = only ? line.tool_use_result : undefined;
  const meta = list(line["tool_result_meta"]).map(object);
  for (const part of parts) {
    if (part.type === "tool_result") {
      const about = meta.find(({ id }) => id === part["tool_use_id"]);
      at = andThen(at, (next) => toolResult(next, lane, part, structured, about));
    } else {
      const said = text(part["text"]) ?? JSON.stringify(part);
      at = andThen(at, (next) => step(next, { type: "notice", level: "info", text: said }));
    }
  }
  return at;
}

function toolResult(
  state: NormalizeState,
  lane: Lane,
  part: ContentPart,
  structured: unknown,
  about: Record<string, unknown> = {},
): Step {
  const decision = object(about["permission_decision"])["decision"];
  const denied = decision === "reject" || about["non_execution_kind"] !== undefined;
  const isError = part["is_error"] === true;
  const content = part["content"] ?? null;
  const result = present({ content, structured, isError, denied: denied && isError });
  return onToolResult(state, lane, text(part["tool_use_id"]), result);
}
