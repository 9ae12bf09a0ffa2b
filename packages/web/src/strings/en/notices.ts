/** What the browser shows when a session needs attention while the page is in the background. */
export const notices = {
  needsYou: (title: string) => `${title} needs you`,
  finished: (title: string) => `${title} has finished`,
  failed: (title: string) => `${title} has failed`,
  session: "A session",
} as const;
