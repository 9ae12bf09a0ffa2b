/** The palette: sessions and actions by name. */
export const palette = {
  title: "Search",
  field: "Session or action",
  placeholder: "Search sessions and actions",
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
