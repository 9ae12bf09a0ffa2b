import { type Message, readResultError, readResultText } from "@signalbox/protocol";
import { MAIN, type TurnOutcome } from "../event.ts";
import { cancelAsks } from "./cancelled-asks.ts";
import { setContext } from "./context.ts";
import { readTurnCosts } from "./cost.ts";
import type { Draft } from "./draft.ts";
import { object, present, text } from "./fields.ts";
import { closeLane, findOpenMessage } from "./lanes.ts";
import { isRepeated, rememberId } from "./recent-messages.ts";
import { isAsked, settlePrompts, promptKey } from "./prompts.ts";
import type { NormalizeState } from "./state.ts";
import { endLanes, settleTools, emitStray } from "./tools.ts";
import { readContextWindow } from "./context-window.ts";

/**
 * A turn may begin without a prompt, for example when background work reports or a schedule fires.
 */
export function beginTurn(draft: Draft): void {
  const { state } = draft;
  if (state.inTurn) return;
  const isAskedFor = isAsked(draft);
  state.turn++;
  state.inTurn = true;
  state.spoke = false;
  state.failure = null;
  state.interrupted = false;
  state.over = null;
  state.started = true;
  state.reported = false;
  if (isAskedFor) {
    state.promptWaits = false;
    // The agent has started on the prompt: a resume may begin there.
    if (state.sentUuid !== null) state.lastUuid = state.sentUuid;
    state.sentUuid = null;
  }
  draft.emit({ type: "turn-started", turn: state.turn, cause: isAskedFor ? "prompt" : "agent" });
}

export function onResult(draft: Draft, result: Message<"result">): void {
  const { subtype, is_error, result: resultValue, errors } = result;
  if (isRepeated(draft, result.uuid, [subtype, is_error, resultValue, errors])) return;
  beginTurn(draft);
  const error = readResultError(result);
  const status = readTurnOutcome(draft.state, result, error);
  settleTools(draft, status === "interrupted" ? "interrupted" : "complete");
  endLanes(draft);
  // When a turn has ended, none of its asks wait any longer. A subagent in the background may still
  // wait.
  cancelAsks(draft, ({ lane }) => lane === MAIN);
  settlePrompts(draft, text(object(result["origin"])["kind"]));
  emitTurnEnd(draft, result, status, error);
  becomeIdle(draft);
  setContext(draft, draft.state.used, readContextWindow(draft.state, result));
}

function readTurnOutcome(
  state: NormalizeState,
  result: Message<"result">,
  error: string | undefined,
): TurnOutcome {
  const aborted = text(result["terminal_reason"])?.startsWith("aborted") ?? false;
  if (aborted) return "interrupted";
  // An interrupt that comes too late, or is refused, stops nothing.
  if (result.subtype === "success" && error === undefined) return "success";
  if (state.interrupted) return "interrupted";
  return error === undefined ? "success" : "error";
}

function emitTurnEnd(
  draft: Draft,
  result: Message<"result">,
  status: TurnOutcome,
  error: string | undefined,
): void {
  const { state } = draft;
  const answer = readResultText(result);
  // An answer is safe to resume from when the result reports success; until then its prompt was the
  // last safe message.
  if (status === "success" && state.pendingUuid !== null) state.lastUuid = state.pendingUuid;
  const { failure, turn } = state;
  const turnError = status === "error" ? (error ?? "") : undefined;
  draft.emit(
    present({
      type: "turn-ended" as const,
      turn,
      status,
      error: turnError, // the error of an interrupted turn means nothing to a person
      // The text was shown when it was written. It is only needed for a turn that showed no text.
      text: error !== undefined || !answer || isAlreadyShown(state, answer) ? undefined : answer,
      origin: text(object(result["origin"])["kind"]),
      ...readTurnCosts(draft, result),
      durationMs: result.duration_ms ?? undefined,
      modelTurns: countSteps(state, result),
      lastUuid: state.lastUuid ?? undefined,
    }),
  );
  if (turnError === failure) return;
  if (failure !== null) draft.emit({ type: "notice", level: "error", text: failure });
  if (turnError !== undefined) draft.emit({ type: "turn-failed", turn, error: turnError });
}

/** For a command, which does not ask the model, 2.1.7 reports all turns since the run began. */
function countSteps(state: NormalizeState, result: Message<"result">): number | undefined {
  const { num_turns: reported } = result;
  const silent = findOpenMessage(state, MAIN) === undefined && state.failure === null;
  return reported === undefined || reported === null || !silent ? (reported ?? undefined) : 0;
}

function isAlreadyShown({ spoke, printed }: NormalizeState, content: string): boolean {
  return spoke || printed === promptKey(content.trim());
}

/** The steps at every end of a turn. A message that was cut off has ended as well. */
export function becomeIdle(draft: Draft): void {
  const { state } = draft;
  const open = findOpenMessage(state, MAIN);
  if (open) rememberId(draft, open.messageId);
  closeLane(draft, MAIN);
  state.inTurn = false;
  state.spoke = false;
  state.printed = null;
  state.failure = null;
  state.interrupted = false;
  state.compacting = false;
  state.pendingUuid = null;
  emitStray(draft);
}
