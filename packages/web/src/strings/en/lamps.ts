/** The word beside each lamp. */
export const lamps = {
  working: "Working",
  waiting: "Needs you",
  idle: "Idle",
  parked: "Parked",
  failed: "Failed",
  "catching-up": "Catching up",
  /** By the more exact words that the client gives a lamp. */
  exact: {
    compacting: "Compacting",
    crashed: "Crashed",
    failed: "Failed",
    idle: "Idle",
    "in the background": "In the background",
    "needs you": "Needs you",
    new: "New",
    offline: "Offline",
    parked: "Parked",
    silent: "No output",
    starting: "Starting",
    stopped: "Stopped",
    unreachable: "Unreachable",
    working: "Working",
  } as Readonly<Record<string, string>>,
} as const;
