/** What a session is doing, in one line. */
export const activity = {
  thinking: "Thinking",
  writing: "Writing",
  preparing: "Preparing a tool call",
  waitingForModel: "Waiting for the model",
  next: (message: string) => `Next: ${message}`,
  rateLimited: "Rate limit reached.",
  overloaded: "Overloaded.",
  apiError: (status: number | string | undefined) =>
    status === undefined ? "The model didn't respond." : `API error ${status}.`,
  retrying: (reason: string) => `${reason} Retrying…`,
  retryingIn: (reason: string, time: string) => `${reason} Retrying in ${time}`,
  notDialedYet: "No agent has connected yet",
  dialedAgentLeft: "The agent has disconnected. Messages are queued.",
  waitingForFirst: "Waiting for the first message",
  noMessages: "No messages yet",
  parked: "Parked. Starts with your next message.",
  stopped: "Stopped. Starts with your next message.",
} as const;
