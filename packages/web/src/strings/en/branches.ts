/** Branches of a conversation, and going back in it. */
export const branches = {
  title: "Branches",
  menu: "Branches…",
  menuHint: "What was left when the conversation went back to an earlier message.",
  intro: "When a conversation goes back to an earlier message, what came after it stays here.",
  one: "This conversation has one branch. Go back to an earlier message to begin another one.",
  loading: "Reading the conversation…",
  current: "Current",
  messages: (count: number) => (count === 1 ? "1 message" : `${count} messages`),
  empty: "(no message of yours)",
  show: "Show",
  continueHere: "Continue here",
  unreachable: "Claude Code does not have it any more. It can still be read.",
  couldNotGoBack: "Couldn't go back in the conversation",
  wentBack: "Your next message continues from here.",
  goBack: "Go back in the conversation, too",
  goBackHint:
    "Your next message continues from before this one. What came after it stays as a branch.",
  confirm: "Go back",
} as const;
