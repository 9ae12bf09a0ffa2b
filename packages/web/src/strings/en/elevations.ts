/** Terminals that ask to answer requests. */
export const elevations = {
  label: "Terminal approval",
  text: (terminal: string) =>
    `The terminal ${terminal} asks to answer requests and to add or remove machines while it is open.`,
  requested: "Requested",
  compare: "Approve only if the terminal shows these words:",
  approve: "Words match, approve",
  deny: "Deny",
  couldNotSave: "Couldn't save your decision",
} as const;
