/** Restoring files to an earlier point of a session. */
export const restore = {
  title: "Restore files to this point",
  agentStopped: "The agent must be running to restore files.",
  start: "Start process",
  couldNotStart: "Couldn't start the process",
  checking: "Checking what would change…",
  notPossible: (reason: string) => `No files were changed. ${reason}`,
  notStored: "The agent has no stored files for this message.",
  nothing: "All files already match this point.",
  summary: (files: string) => `${files} will be restored to the state before this message.`,
  lines: (added: string, removed: string) => `${added} added, ${removed} removed`,
  limits: "The conversation stays as it is. Changes made by shell commands are not undone.",
  confirm: (files: string) => `Restore ${files}`,
  restoring: "Restoring…",
  restored: (files: string) => `${files} restored`,
  close: "Close",
} as const;
