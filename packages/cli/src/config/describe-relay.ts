import type { RelayState } from "@signalbox/api";

/** Whether the relay is on, and what the next start of the hub changes about that. */
export function describeRelay({ on, running, startOption }: RelayState): string {
  if (startOption) return `on: the hub was started with --relay${on ? "" : ". The setting is off"}`;
  if (on === running) return on ? "on" : "off";
  return `${running ? "on" : "off"}. Restart the hub to turn it ${on ? "on" : "off"}`;
}
