/** Menus of sessions and messages. */
export const menus = {
  sessionActions: (title: string) => `Actions for ${title}`,
  messageActions: "Message actions",
  noActions: "No actions available",
  pin: "Pin to top",
  unpin: "Unpin",
  rename: "Rename…",
  fork: "Fork",
  park: "Park",
  parkHint: "Ends the idle process. It starts again with your next message.",
  stop: "Stop process",
  start: "Start process",
  restart: "Restart",
  retry: "Retry last message",
  archive: "Archive",
  unarchive: "Move out of archive",
  delete: "Delete…",
} as const;
