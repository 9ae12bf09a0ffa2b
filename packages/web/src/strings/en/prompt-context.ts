/** Context that another program attached to a message. */
export const promptContext = {
  label: "Context",
  show: (title: string) => `Context: ${title}`,
  explanation: "The agent received this as text before the message.",
  remove: (title: string) => `Remove the context ${title}`,
} as const;
