import type { Session } from "@signalbox/client";
import type { LampState } from "../style/lamp.tsx";

/** The one lamp of a session. Each has a colour, a shape and a word. */
export type LampKind = LampState;

export interface Lamp {
  readonly kind: LampKind;
  readonly word: string;
}
type Seen = Pick<Session, "state" | "openAsks" | "silentSince"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn">;
};

/** Of a session of which nobody knows what it does now. */
export const unknownLamp: Lamp = { kind: "catching-up", word: "not live" };

/** `live`: what is shown is what is; otherwise nobody knows what the session does now. */
export function lampOf(session: Seen, live: boolean): Lamp {
  if (!live) return unknownLamp;
  const { state, openAsks } = session;
  if (state === "crashed") return { kind: "failed", word: "crashed" };
  if (state === "unreachable") return { kind: "failed", word: "cut off" };
  if (openAsks > 0) return { kind: "waiting", word: "waits for you" };
  if (state === "parked") return { kind: "parked", word: "parked" };
  if (state === "stopped") return { kind: "parked", word: "stopped" };
  if (state === "new") return { kind: "idle", word: "new" };
  if (state === "starting") return { kind: "working", word: "starting" };
  return ofActivity(session);
}

function ofActivity({ summary, silentSince }: Seen): Lamp {
  switch (summary.status) {
    case "starting":
      return { kind: "working", word: "starting" };
    case "active":
      return { kind: "working", word: silentSince === undefined ? "working" : "silent" };
    case "asking":
      return { kind: "waiting", word: "waits for you" };
    case "compacting":
      return { kind: "working", word: "compacting" };
    case "background":
      return { kind: "working", word: "in the background" };
    case "parked":
      return { kind: "parked", word: "parked" };
    default:
      return summary.lastTurn === "error" || summary.lastTurn === "crashed"
        ? { kind: "failed", word: "turn failed" }
        : { kind: "idle", word: "idle" };
  }
}

/** Which lamp stands for many: what needs a person first, then what is broken, then what runs. */
const urgency: readonly LampKind[] = [
  "waiting",
  "failed",
  "catching-up",
  "working",
  "idle",
  "parked",
];
export function mostUrgent(lamps: readonly LampKind[]): LampKind {
  return urgency.find((kind) => lamps.includes(kind)) ?? "parked";
}

/** Whether a message would wait for the end of a turn. */
export function isBusy({ state, summary }: Pick<Seen, "state" | "summary">): boolean {
  if (state !== "running" && state !== "starting") return false;
  return ["active", "asking", "compacting", "starting"].includes(summary.status);
}
