import type { LogMarker } from "@signalbox/protocol";
import { MAIN } from "../event.ts";
import { cancelAsks } from "./cancelled-asks.ts";
import type { Draft } from "./draft.ts";
import { present } from "./fields.ts";
import { findOpenMessage } from "./lanes.ts";
import { rememberId } from "./recent-messages.ts";
import { markPromptsLost } from "./prompts.ts";
import { settleTools, emitStray } from "./tools.ts";
import { becomeIdle } from "./turns.ts";

/**
 * A run has begun: its agent answered `initialize`, which it does only once, or a marker in the log
 * says so. If both do, in either order, it is one run. Whatever was open belongs to an ended run.
 * Until the agent has answered or printed something, it is starting.
 */
export function beginRun(draft: Draft, by: "answer" | "note", ready = true): void {
  const { state } = draft;
  if (ready) state.started = true;
  if (state.runBegan === (by === "answer" ? "note" : "answer")) {
    state.runBegan = "both";
    return;
  }
  if (state.inTurn || state.tools.length > 0 || state.asks.some((ask) => ask.behavior === null)) {
    const { waiting, promptWaits } = state; // Prompts that were sent to the new run are not lost.
    endRun(draft, "crashed", "The agent left without a word.");
    state.waiting = waiting;
    state.promptWaits = promptWaits;
  }
  state.over = null;
  state.reported = false;
  state.runBegan = by;
  state.told = null;
  state.commandsTold = false;
  state.echoes = false;
  state.fresh = true;
  state.started = ready;
  state.runs++;
}

/**
 * The host initializes an agent when it has been started; the agent is starting until it answers.
 */
export function awaitRun({ state }: Draft): void {
  if (state.inTurn) return;
  state.over = null;
  state.started = false;
}

/** The agent's process has ended: everything that was open is settled as interrupted. */
export function endRun(
  draft: Draft,
  status: "ended" | "parked" | "crashed",
  sentence: string | undefined,
  process: Pick<LogMarker<"run_ended">, "exitCode" | "signal" | "stderr"> = {},
): void {
  const { state } = draft;
  const exit = { exitCode: process.exitCode ?? undefined, signal: process.signal ?? undefined };
  settleTools(draft, "interrupted", true);
  cancelAsks(draft, () => true);
  const { inTurn, failure } = state;
  const onPurpose = state.interrupted || status === "parked";
  if (inTurn) {
    draft.emit(
      present({
        type: "turn-ended" as const,
        turn: state.turn,
        status: onPurpose ? ("interrupted" as const) : ("crashed" as const),
        error: failure ?? sentence,
        ...exit,
        lastUuid: state.lastUuid ?? undefined,
      }),
    );
  }
  for (const { lane, messageId } of state.messages) if (lane !== MAIN) rememberId(draft, messageId);
  if (findOpenMessage(state, MAIN) || inTurn) becomeIdle(draft);
  markPromptsLost(draft);
  state.compacting = false;
  state.compacted = false;
  state.messages = [];
  emitStray(draft);
  state.missed = [];
  state.tasks = [];
  state.sentUuid = null;
  state.agents = [];
  state.foreground = [];
  state.requests = [];
  state.runBegan = "untold";
  state.fresh = true;
  state.over = status === "parked" ? "parked" : "ended";
  const isTurnEndShown = inTurn && failure === null;
  const { stderr } = process;
  draft.emit(
    present({
      type: "run-ended" as const,
      status,
      sentence,
      ...exit,
      stderr,
      told: isTurnEndShown,
    }),
  );
}
