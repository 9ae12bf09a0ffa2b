import type { SessionRow } from "../store/store.ts";
import { isAlive } from "./session-summary.ts";

/**
 * The in-memory state of a session's newest run. The session's row stores the state and run that others see;
 * what is only here is lost when the hub stops.
 */
export type Lifecycle = EndedLifecycle | StartingLifecycle | RunningLifecycle;

/** No run is alive. */
interface EndedLifecycle {
  readonly kind: "ended";
  /** A run was requested and could not be started yet; it starts as soon as it can. */
  readonly startRequested: boolean;
}

/** A run was ordered, and its runner has not reported the agent's start yet. */
interface StartingLifecycle {
  readonly kind: "starting";
  readonly run: string;
  readonly isTurnEndUncertain: boolean;
}

/** The agent runs, or its runner is away and the agent may still run. */
interface RunningLifecycle {
  readonly kind: "running";
  readonly run: string;
  /**
   * The end of the agent's turn may have been lost, so messages do not wait for it until the next turn ends.
   */
  readonly isTurnEndUncertain: boolean;
  /**
   * Somebody asked the session to continue while the runner was away. If the run turns out to be lost,
   * another one starts.
   */
  readonly restartRequested: boolean;
}

/** The stored states in which a session starts by itself when the hub starts and messages wait. */
const autoStartStates: ReadonlySet<string> = new Set(["new", "parked"]);

export function startsByItself({ state }: Pick<SessionRow, "state">): boolean {
  return autoStartStates.has(state);
}

type RunState = Pick<SessionRow, "state" | "run">;

/** The lifecycle of a session that has just been read from the store. */
export function restoreLifecycle(row: RunState): Lifecycle {
  const ended = { kind: "ended", startRequested: startsByItself(row) } as const;
  return followRow(ended, row);
}

/** Somebody asked the session to continue. */
export function requestStart(lifecycle: Lifecycle, isRunnerConnected: boolean): Lifecycle {
  switch (lifecycle.kind) {
    case "ended":
      return { ...lifecycle, startRequested: true };
    case "starting":
      return lifecycle; // a start that is lost is repeated in any case
    case "running":
      return isRunnerConnected ? lifecycle : { ...lifecycle, restartRequested: true };
    default:
      return lifecycle satisfies never;
  }
}

/** A run is about to be ordered. */
export function startRun(run: string): Lifecycle {
  return { kind: "starting", run, isTurnEndUncertain: false };
}

/** The run could not be ordered, or its runner refused it. It is still requested. */
export function failStart(): Lifecycle {
  return { kind: "ended", startRequested: true };
}

/** Updates the lifecycle from the row after the log has told what became of the run. */
export function followRow(lifecycle: Lifecycle, { state, run }: RunState): Lifecycle {
  if (!isAlive({ state }) || run === null) {
    return lifecycle.kind === "ended" ? lifecycle : { kind: "ended", startRequested: false };
  }
  const isTurnEndUncertain = lifecycle.kind !== "ended" && lifecycle.isTurnEndUncertain;
  if (state === "starting") return { kind: "starting", run, isTurnEndUncertain };
  const restartRequested = lifecycle.kind === "running" && lifecycle.restartRequested;
  return { kind: "running", run, isTurnEndUncertain, restartRequested };
}

/** Some of the agent's lines were lost, which may include the end of its turn. */
export function loseTurnEnd(lifecycle: Lifecycle): Lifecycle {
  return lifecycle.kind === "ended" ? lifecycle : { ...lifecycle, isTurnEndUncertain: true };
}

/** The agent has shown that it waits for a message. */
export function observeIdle(lifecycle: Lifecycle): Lifecycle {
  return lifecycle.kind === "ended" ? lifecycle : { ...lifecycle, isTurnEndUncertain: false };
}

/** The runner has reconnected and reported which runs it still has. */
export function observeRunner(lifecycle: Lifecycle): Lifecycle {
  return lifecycle.kind === "running" ? { ...lifecycle, restartRequested: false } : lifecycle;
}

/** Whether another run replaces this one if its runner has lost it. */
export function mustReplaceLostRun(lifecycle: Lifecycle): boolean {
  return (
    lifecycle.kind === "starting" || (lifecycle.kind === "running" && lifecycle.restartRequested)
  );
}

/** Whether a run starts now that one can. */
export function mustStart(lifecycle: Lifecycle): boolean {
  return lifecycle.kind === "ended" && lifecycle.startRequested;
}
