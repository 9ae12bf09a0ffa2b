import { type Lamp, type LampKind, sessionLamp, unknownLamp } from "@signalbox/client";

/** A session's lamp as the page knows it. Without a live connection nobody knows what the session does now. */
export function currentLamp(session: Parameters<typeof sessionLamp>[0], isLive: boolean): Lamp {
  return isLive ? sessionLamp(session) : unknownLamp;
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
