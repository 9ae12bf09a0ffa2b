import type { Session } from "@signalbox/client";
import type { Style } from "../terminal/style.ts";

/** What a session's lamp shows: a shape and a word, and never the colour alone. */
export interface Lamp {
  readonly shape: string;
  readonly word: string;
  readonly colour: "green" | "yellow" | "red" | "plain";
}

const lamps = {
  working: { shape: "●", word: "working", colour: "green" },
  waiting: { shape: "▲", word: "waits for you", colour: "yellow" },
  idle: { shape: "○", word: "idle", colour: "plain" },
  failed: { shape: "✗", word: "failed", colour: "red" },
  turnFailed: { shape: "✗", word: "turn failed", colour: "red" },
  cutOff: { shape: "✗", word: "cut off", colour: "red" },
} as const satisfies Record<string, Lamp>;

const hollow = (word: string): Lamp => ({ shape: "◌", word, colour: "plain" });

type Shown = Pick<Session, "state" | "openAsks"> & {
  readonly summary: Pick<Session["summary"], "status" | "lastTurn">;
};

export function lampOf({ state, openAsks, summary }: Shown): Lamp {
  switch (state) {
    case "crashed":
      return lamps.failed;
    case "unreachable":
      return lamps.cutOff;
    case "new":
    case "parked":
    case "stopped":
      return hollow(state);
    case "starting":
      return { ...lamps.working, word: "starting" };
    case "running":
      if (openAsks > 0) return lamps.waiting;
      if (summary.status === "starting") return { ...lamps.working, word: "starting" };
      if (!isIdle(summary.status)) return lamps.working;
      return hasFailed(summary) ? lamps.turnFailed : lamps.idle;
    default:
      return state satisfies never;
  }
}

/** Whether the agent waits for the next message. */
function isIdle(status: Shown["summary"]["status"]): boolean {
  return status === "idle" || status === "parked" || status === "ended";
}

function hasFailed({ lastTurn }: Shown["summary"]): boolean {
  return lastTurn === "error" || lastTurn === "crashed";
}

/** Beside the lamp's word wherever a session is named: its agent asks nobody. */
export function policyMark({ policy }: Pick<Session, "policy">): string {
  return policy === "autonomous" ? ", autonomous" : "";
}

export function paintLamp({ shape, colour }: Lamp, style: Style): string {
  return colour === "plain" ? shape : style[colour](shape);
}
