import type { Session } from "../contract.ts";

/** The meaning of a session's lamp. Each front end chooses its colors and shapes. */
export type LampKind = "working" | "waiting" | "idle" | "parked" | "failed" | "catching-up";

export interface Lamp {
  readonly kind: LampKind;
  /** The text beside the lamp. */
  readonly word: string;
}

type LampSource = Pick<Session, "state" | "openAsks" | "silentSince"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn" | "shown">;
};

/** The lamp of a session while the connection to the hub is lost and its state is unknown. */
export const unknownLamp: Lamp = { kind: "catching-up", word: "offline" };

/**
 * Chooses the lamp of a session, the same on every screen. A session without a process can only be
 * started again, so that comes first; then asks that wait for a person, then the agent's activity.
 */
export function sessionLamp(session: LampSource): Lamp {
  const { state, openAsks } = session;
  if (state === "crashed") return { kind: "failed", word: "crashed" };
  if (state === "unreachable") return { kind: "failed", word: "unreachable" };
  if (openAsks > 0) return { kind: "waiting", word: "needs you" };
  // A failure stays in sight until somebody has seen to it, also after the idle process was ended.
  if (state === "parked") return hasFailed(session) ? failedLamp : parkedLamp;
  if (state === "stopped") return { kind: "parked", word: "stopped" };
  if (state === "new") return { kind: "idle", word: "new" };
  if (state === "starting") return { kind: "working", word: "starting" };
  // A dialog in the agent's own terminal that it does not tell of otherwise.
  if (session.summary.shown?.state === "asking") return { kind: "waiting", word: "needs you" };
  return activityLamp(session);
}

const failedLamp: Lamp = { kind: "failed", word: "failed" };
const parkedLamp: Lamp = { kind: "parked", word: "parked" };

function hasFailed({ summary }: Pick<LampSource, "summary">): boolean {
  return summary.lastTurn === "error" || summary.lastTurn === "crashed";
}

function activityLamp({ summary, silentSince }: LampSource): Lamp {
  switch (summary.status) {
    case "starting":
      return { kind: "working", word: "starting" };
    case "active":
      return { kind: "working", word: silentSince === undefined ? "working" : "silent" };
    case "asking":
      return { kind: "waiting", word: "needs you" };
    case "compacting":
      return { kind: "working", word: "compacting" };
    case "background":
      return { kind: "working", word: "in the background" };
    case "parked":
      return hasFailed({ summary }) ? failedLamp : parkedLamp;
    default:
      if (summary.shown?.source === "screen" && summary.shown.state === "active") {
        return { kind: "working", word: "working" };
      }
      return hasFailed({ summary }) ? failedLamp : { kind: "idle", word: "idle" };
  }
}

/** Whether a message would wait for the end of a turn. */
export function isBusy({ state, summary }: Pick<LampSource, "state" | "summary">): boolean {
  if (state !== "running" && state !== "starting") return false;
  return ["active", "asking", "compacting", "starting"].includes(summary.status);
}
