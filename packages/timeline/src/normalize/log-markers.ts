import { type Decoded, type LogMarker, parseLogMarker } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { type BlockKind, blockRef, MAIN } from "../event.ts";
import { findAsk, findLane, openAsk, settleAsk } from "./asks.ts";
import type { Draft } from "./draft.ts";
import { present, text } from "./fields.ts";
import {
  findOrCreateMessage,
  newMessage,
  findOpenMessage,
  openMessage,
  setBlock,
} from "./lanes.ts";
import { isRecentId } from "./recent-messages.ts";
import { beginRun, endRun } from "./runs.ts";
import { beginTurn } from "./turns.ts";
import { cancelAsk, expireAsk } from "./cancelled-asks.ts";

/**
 * Handles the markers that a runner or hub adds to the log. A marker of another build is shown as
 * it is.
 */
export function onLogMarker(draft: Draft, line: Decoded): void {
  const note = parseLogMarker(line.raw);
  if (!note) return onUnknownMarker(draft, line);
  switch (note.subtype) {
    case "run_started":
      return onRunStarted(draft, note);
    case "run_ended":
      return endRun(draft, note.status, note.sentence, note);
    case "ask_opened":
      return onAskOpened(draft, note);
    case "ask_closed":
      return onAskClosed(draft, note);
    case "text_kept":
      return onTextKept(draft, note);
    case "call_marked": {
      const { callId, how, text, ran } = note;
      return draft.emit(present({ type: "tool-marked" as const, callId, how, text, ran }));
    }
    case "remark":
      return onRemark(draft, note);
    default:
      return note satisfies never;
  }
}

function onRemark(draft: Draft, { level, text, rewoundTo }: LogMarker<"remark">): void {
  if (rewoundTo !== undefined) {
    draft.state.lastUuid = rewoundTo;
    draft.state.pendingUuid = draft.state.sentUuid = null;
  }
  draft.emit(present({ type: "notice" as const, level, text, rewoundTo }));
}

function onUnknownMarker(draft: Draft, line: Decoded): void {
  const body = "body" in line && isObject(line.body) ? line.body : {};
  const subtype = text(body["subtype"]);
  const name = subtype === undefined ? "signalbox" : `signalbox/${subtype}`;
  draft.emit({ type: "opaque-received", kind: "unknown", name, raw: line.raw });
}

function onRunStarted(draft: Draft, note: LogMarker<"run_started">): void {
  const { run, status, driver, policy, agent, leftOut } = note;
  // An agent that dials in was started long ago and may have answered somebody else.
  beginRun(draft, "note", driver === "relay");
  if (draft.state.fresh) draft.state.told = status;
  const model = text(note["model"]);
  const { version } = agent;
  draft.emit(
    present({
      type: "run-started" as const,
      run,
      status,
      driver,
      policy,
      version,
      model,
      leftOut: leftOut.map(({ option, why }) => ({ option, why })),
    }),
  );
}

function onAskOpened(draft: Draft, note: LogMarker<"ask_opened">): void {
  const { requestId, kind, title, tool, callId, agentId, input, suggestions, reason, blockedPath } =
    note;
  if (findAsk(draft.state, requestId)) return reportIgnored(draft, note.subtype, requestId);
  const lane = findLane(draft.state, callId);
  openAsk(
    draft,
    present({
      type: "permission-asked" as const,
      requestId,
      kind,
      lane,
      tool,
      callId,
      agentId,
      title,
      input: input ?? {},
      suggestions,
      reason,
      blockedPath,
    }),
  );
}

/** The answer itself may be in the log before it; then this only adds who gave it. */
function onAskClosed(draft: Draft, note: LogMarker<"ask_closed">): void {
  const { requestId, how, behavior, message, by } = note;
  const ask = findAsk(draft.state, requestId);
  if (!ask) return reportIgnored(draft, note.subtype, requestId);
  if (how === "answered") {
    const outcome = behavior ?? ask.behavior ?? "answered";
    settleAsk(draft, ask, { behavior: outcome, message, by, input: note.input });
  } else if (how === "expired") {
    expireAsk(draft, requestId, message ?? "Nobody answered in time.");
  } else {
    cancelAsk(draft, requestId, message);
  }
}

/** Restores what was written of a message when its run ended, unless its deltas were in the log. */
function onTextKept(draft: Draft, note: LogMarker<"text_kept">): void {
  const eventCount = draft.events.length;
  for (const block of note.blocks) restoreBlock(draft, block);
  if (draft.events.length === eventCount) reportIgnored(draft, note.subtype);
}

function restoreBlock(draft: Draft, stored: LogMarker<"text_kept">["blocks"][number]): void {
  const { state } = draft;
  const { lane, messageId, index, text: content, callId, name } = stored;
  const open = findOpenMessage(state, lane);
  if (!Number.isInteger(index) || index < 0 || index > 1000) return;
  if (open?.messageId !== messageId) {
    if (isRecentId(state, messageId)) return;
    if (lane === MAIN) beginTurn(draft);
    openMessage(draft, newMessage(lane, messageId));
    draft.emit({ type: "message-started", lane, messageId });
  }
  const message = findOrCreateMessage(state, lane);
  const before = message.blocks[index];
  if (before?.settled === true) return;
  const at = blockRef(lane, messageId, index);
  const kind = toBlockKind(stored.kind);
  if (kind === "tool") {
    if (before) return;
    setBlock(draft, message, index, present({ kind, callId, settled: false, id: at.block }));
    draft.emit(present({ type: "block-started" as const, ...at, kind, callId, name }));
    return draft.emit({ type: "block-grew", ...at, text: content });
  }
  setBlock(draft, message, index, { kind, settled: true, id: at.block });
  if (lane === MAIN && kind === "text" && content !== "") state.spoke = true;
  draft.emit({ type: "block-settled", ...at, kind, text: content });
}

function toBlockKind(kind: string): BlockKind {
  return kind === "text" || kind === "thinking" || kind === "tool" ? kind : "other";
}

function reportIgnored(draft: Draft, name: string, requestId?: string): void {
  draft.emit(
    present({ type: "control-passed" as const, from: "keeper" as const, what: name, requestId }),
  );
}
