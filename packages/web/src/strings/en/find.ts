/** Find in a conversation. */
export const find = {
  label: "Find in conversation",
  previous: "Previous match",
  next: "Next match",
  close: "Close",
  searching: "Searching…",
  noMatches: "No matches",
  count: (count: number, isPartial: boolean) =>
    `${count}${isPartial ? "+" : ""} ${count === 1 ? "match" : "matches"}`,
  position: (at: number, count: number, isPartial: boolean) =>
    `${at} of ${count}${isPartial ? "+" : ""}`,
} as const;
