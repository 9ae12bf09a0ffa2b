/** The inbox: every open request. */
export const inbox = {
  title: "Inbox",
  loading: "Loading requests…",
  offline: "Offline. Open requests are shown when the connection is back.",
  empty: "You're all caught up",
  emptyHint:
    "Requests from your sessions appear here, oldest first. You can leave this page open: its title and icon change when something needs you.",
  open: (count: number) => (count === 1 ? "1 request" : `${count} requests`),
  sinceYouLeft: "Since you left",
  finished: "Finished",
  finishedWith: (answer: string) => `Finished · ${answer}`,
  move: "move",
  allow: "allow once",
  deny: "deny",
  edit: "edit",
  openSession: "open session",
  hubUnreachable: "The hub can't be reached.",
  hubConnecting: "Connecting to the hub…",
  lastConnected: "Last connected",
  nothingNeededYou: "No session needed you then.",
  neededYou: "These sessions needed you then:",
} as const;
