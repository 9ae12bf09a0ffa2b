import type { HubClient } from "../client.ts";
import type { Session } from "../contract.ts";

/** The state of a turn, as far as the session's summary shows it. */
export type TurnProgress = "works" | "asks" | "over" | "failed" | "gone";

/**
 * A turn has really ended when the agent has nothing left to do: the turn is over, nothing runs in
 * the background, and no message waits.
 */
export function readTurnProgress(session: Session | undefined, turnsBefore: number): TurnProgress {
  if (!session) return "gone";
  const { state, summary, queue, openAsks } = session;
  if (state === "crashed" || state === "stopped") return "failed";
  if (openAsks > 0) return "asks";
  const quiet = summary.status === "idle" || summary.status === "parked";
  const done = summary.turns > turnsBefore && summary.tasks.length === 0 && queue.length === 0;
  return quiet && done ? "over" : "works";
}

export interface TurnWaitOptions {
  readonly signal?: AbortSignal;
  /** Called once when the turn waits for a person, and again if it waits after having continued. */
  readonly onAsks?: (session: Session) => void;
  /**
   * How long the turn has to stay ended, because an agent may continue when its background work
   * reports.
   */
  readonly settleMs?: number;
}
const SETTLE_MS = 1000;

/** Waits for the real end of a session's turn. Rejects when the signal aborts. */
export async function waitForTurnEnd(
  hub: HubClient,
  id: string,
  turnsBefore: number,
  options: TurnWaitOptions = {},
): Promise<{ stand: TurnProgress; session: Session | undefined }> {
  using board = hub.watchBoard();
  const { signal, settleMs = SETTLE_MS } = options;
  return await new Promise((resolve, reject) => {
    let settling: ReturnType<typeof setTimeout> | undefined;
    let last: TurnProgress = "works";
    const end = (finish: () => void) => {
      clearTimeout(settling);
      unsubscribe();
      signal?.removeEventListener("abort", onAbort);
      finish();
    };
    const onAbort = () => end(() => reject(signal?.reason as Error));
    const look = () => {
      if (board.view.state !== "ready") return;
      const session = board.view.session(id);
      const stand = readTurnProgress(session, turnsBefore);
      if (stand === last && stand === "over") return;
      last = stand === "asks" && last === "asks" ? last : tell(stand, session);
      clearTimeout(settling);
      if (stand === "works" || stand === "asks") return;
      const finish = () => end(() => resolve({ stand, session: board.view.session(id) }));
      settling = setTimeout(finish, settleMs);
    };
    const tell = (stand: TurnProgress, session: Session | undefined) => {
      if (stand === "asks" && session) options.onAsks?.(session);
      return stand;
    };
    const unsubscribe = board.subscribe(look);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    else look();
  });
}
