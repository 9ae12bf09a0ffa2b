/** Terminals that ask to answer requests. */
export const elevations = {
  label: "Terminal approval",
  text: (terminal: string) =>
    `The terminal ${terminal} asks to answer requests and to add or remove machines while it is open.`,
  adminText: (terminal: string) =>
    `The terminal ${terminal} asks for full access while it is open: it can then change agents, accounts and every other setting, and answer requests.`,
  adminNeeded: "Only an admin's device can approve this.",
  approveAdmin: "Words match, give full access",
  requested: "Requested",
  compare: "Approve only if the terminal shows these words:",
  approve: "Words match, approve",
  deny: "Deny",
  couldNotSave: "Couldn't save your decision",
} as const;
