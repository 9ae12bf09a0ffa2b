import { type Lamp, type LampKind, sessionLamp, unknownLamp } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { lookup } from "../text/lookup.ts";

/** A session's lamp as the page knows it. Without a live connection nobody knows what the session does now. */
export function currentLamp(session: Parameters<typeof sessionLamp>[0], isLive: boolean): Lamp {
  return isLive ? sessionLamp(session) : unknownLamp;
}

/** The most urgent first: what needs a person, what has failed, what is running. */
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

/** The word beside a session's lamp. */
export function lampWord({ kind, word }: Lamp): string {
  return lookup(strings.lamps.exact, word) ?? strings.lamps[kind];
}
