/** Other hubs and relays on the hub's machine. */
export const connect = {
  title: "Hubs and relays nearby",
  intro:
    "Other hubs and relays on the hub's machine (ports 8765 to 8774). Attach a relay to show its agents as sessions here.",
  none: "No other hubs or relays found",
  dialHint: "To connect an agent to this hub, run",
  dialCommand: "signalbox dial URL -- claude",
  couldNotChange: (port: number) => `Couldn't change port ${port}`,
  open: "Open",
  attach: "Attach",
  detach: "Detach",
  thisHub: "This hub",
  otherHub: "Another Signalbox hub",
  hubInPlace: "A Signalbox hub now uses this port. Waiting for the attached relay to return.",
  attached: "Relay, attached",
  attachedAway: "Relay, attached, not reachable. Retrying…",
  withAgent: "Relay, agent connected",
  withoutAgent: "Relay, no agent connected",
} as const;
