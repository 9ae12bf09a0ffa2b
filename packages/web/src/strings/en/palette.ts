/** The palette: sessions and actions by name. */
export const palette = {
  title: "Search",
  field: "Session, message or action",
  placeholder: "Search sessions, messages and actions",
  messages: (count: string) => `Sessions and messages · ${count}`,
  searching: "Searching…",
  couldNotSearch: "Messages can't be searched right now.",
  pending: (count: number) =>
    count === 1
      ? "1 session is not indexed completely yet."
      : `${count} sessions are not indexed completely yet.`,
  fromClaudeCode: "from Claude Code",
  removeFilter: (filter: string) => `Remove the filter ${filter}`,
  filters: {
    path: (value: string) => `path ${value}`,
    tool: (value: string) => `tool ${value}`,
    project: (value: string) => value,
    before: (value: string) => `before ${value}`,
    after: (value: string) => `since ${value}`,
    is: (value: string) => (value === "error" ? "errors" : `is:${value}`),
    from: (value: string) => (value === "me" ? "from me" : `from:${value}`),
  },
  lastDays: (days: string) => `last ${days} days`,
  hint: "path: tool: project: after:7d before: is:error from:me",
  noResults: "No results",
  newSession: "New session",
  inbox: "Go to inbox",
  overview: "Go to overview",
  unsent: (count: number) => `Go to unsent messages (${count})`,
  connect: "Connect to hubs and relays nearby",
  settings: "Go to settings",
  help: "Keyboard shortcuts",
  themeLight: "Theme: light",
  themeDark: "Theme: dark",
  themeSystem: "Theme: match system",
  interrupt: "Interrupt",
  groups: { sessions: "Sessions", here: "This session", actions: "Actions" },
} as const;
