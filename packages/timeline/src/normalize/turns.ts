import {
  contextWindows,
  type Message,
  resultCostUsd,
  resultError,
  resultText,
  resultTokens,
} from "@signalbox/protocol";
import { MAIN, type TurnStatus } from "../event.ts";
import { contextEvent } from "./context.ts";
import { own, present, text } from "./fields.ts";
import { isRecent, type NormalizeState, remember, rememberId } from "./state.ts";
import { type Step, step, andThen } from "./step.ts";
import { settleTools } from "./tools.ts";

/** What every end of a turn leaves behind. */
const atRest = { inTurn: false, spoke: false, interrupted: false, compacting: false, early: {} };

/** A turn may begin without a prompt: when background work reports, or a schedule fires. */
export function beginTurn(state: NormalizeState): Step {
  if (state.inTurn) return step(state);
  const turn = state.turn + 1;
  const cause = state.promptWaits ? "prompt" : "agent";
  const { over: _, ...rest } = state;
  const next = {
    ...rest,
    turn,
    inTurn: true,
    spoke: false,
    interrupted: false,
    promptWaits: false,
  };
  return step({ ...next, started: true }, { type: "turn-started", turn, cause });
}

export function onResult(before: NormalizeState, result: Message<"result">): Step {
  if (isRecent(before, result.uuid)) {
    return step(before, { type: "message-repeated", uuid: result.uuid ?? "" });
  }
  return andThen(beginTurn(before), (state) => {
    const error = resultError(result);
    const status = statusOf(state, result, error);
    const settled = settleTools(state, status === "interrupted" ? "interrupted" : "complete");
    return andThen(settled, (quiet) => endTurn(quiet, result, status, error));
  });
}

function statusOf(
  state: NormalizeState,
  result: Message<"result">,
  error: string | undefined,
): TurnStatus {
  const aborted = text(result["terminal_reason"])?.startsWith("aborted") ?? false;
  if (error !== undefined && (state.interrupted || aborted)) return "interrupted";
  return error === undefined ? "success" : "error";
}

function endTurn(
  state: NormalizeState,
  result: Message<"result">,
  status: TurnStatus,
  error: string | undefined,
): Step {
  const lastUuid = state.pendingUuid ?? state.lastUuid;
  const { input, output } = resultTokens(result);
  const said = resultText(result);
  const ended = present({
    type: "turn-ended" as const,
    turn: state.turn,
    status,
    error: status === "error" ? error : undefined, // of an interrupt it says nothing to a person
    // The text was told while it was said; only a turn that said nothing has it to tell.
    text: state.spoke || status !== "success" || !said ? undefined : said,
    costUsd: resultCostUsd(result),
    durationMs: result.duration_ms ?? undefined,
    modelTurns: result.num_turns ?? undefined,
    inputTokens: input,
    outputTokens: output,
    lastUuid,
  });
  const window = windowOf(state, result);
  const { pendingUuid: _, ...rest } = state;
  const next: NormalizeState = {
    ...rest,
    ...atRest,
    asks: Object.fromEntries(Object.entries(state.asks).filter(([, lane]) => lane !== MAIN)),
    window,
    recent: remember(state, result.uuid),
    recentIds: rememberOpen(state),
    // What was sent before this turn was its cause; what was sent since still waits.
    waiting: state.waiting.filter((sent) => sent.turn >= state.turn),
    messages: withoutMain(state.messages),
    ...(lastUuid !== undefined && { lastUuid }),
  };
  // A turn that is over waits for nobody; a subagent in the background may.
  const asked = Object.entries(state.asks).filter(([, lane]) => lane === MAIN);
  const cancelled = asked.map(([requestId]) => ({
    type: "permission-cancelled" as const,
    requestId,
  }));
  const failed =
    status === "error"
      ? [{ type: "turn-failed" as const, turn: state.turn, error: error ?? "" }]
      : [];
  const context = window === state.window ? [] : contextEvent(next);
  return step(next, ...cancelled, ended, ...failed, ...context);
}

/** A model is told with and without its window, as `opus[1m]` and `opus`. */
function windowOf(state: NormalizeState, result: Message<"result">): number {
  const bare = (model: string) => model.replace(/\[.*\]$/, "");
  const main = bare(state.mainModel ?? state.model ?? "");
  for (const [model, window] of contextWindows(result)) if (bare(model) === main) return window;
  return state.window;
}

/** A message that was cut off is over as well: printed again, it is the same one. */
function rememberOpen(state: NormalizeState): readonly string[] {
  const open = own(state.messages, MAIN);
  return open ? rememberId(state, open.messageId) : state.recentIds;
}

function withoutMain(messages: NormalizeState["messages"]): NormalizeState["messages"] {
  const { [MAIN]: _, ...others } = messages;
  return others;
}

/** The agent's process is gone: whatever was open is settled honestly. */
export function onRunEnd(
  state: NormalizeState,
  status: "ended" | "parked" | "crashed",
  said: string | undefined,
): Step {
  const settled = settleTools({ ...state, tasks: [] }, "interrupted", true);
  return andThen(settled, (quiet) => {
    const cancelled = Object.keys(quiet.asks).map((requestId) => ({
      type: "permission-cancelled" as const,
      requestId,
    }));
    const turn = quiet.inTurn
      ? [
          present({
            type: "turn-ended" as const,
            turn: quiet.turn,
            status: quiet.interrupted ? ("interrupted" as const) : ("crashed" as const),
            error: said,
            lastUuid: quiet.lastUuid,
          }),
        ]
      : [];
    const { pendingUuid: _, ...rest } = quiet;
    const next: NormalizeState = {
      ...rest,
      ...atRest,
      promptWaits: false,
      fresh: true,
      messages: {},
      asks: {},
      compacted: false,
      waiting: [],
      recentIds: rememberOpen(quiet),
      over: status === "parked" ? "parked" : "ended",
    };
    const ended = present({ type: "run-ended" as const, status, said });
    return step(next, ...cancelled, ...turn, ended);
  });
}
