import { type Lamp, type LampKind, sessionLamp, unknownLamp } from "@signalbox/client";

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
