/** The word beside each lamp. */
export const lamps = {
  working: "Working",
  waiting: "Needs you",
  idle: "Idle",
  parked: "Parked",
  failed: "Failed",
  "catching-up": "Catching up",
} as const;
