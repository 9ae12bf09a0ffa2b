/** The position in the history of earlier messages. `at` is -1 for the message being typed now. */
interface HistoryPosition {
  readonly at: number;
  /** The text that was being typed before browsing the history. */
  readonly unsentText: string;
}
export const notBrowsing: HistoryPosition = { at: -1, unsentText: "" };

/** Moves one step in the history. Undefined if there is no such message. */
export function stepHistory(
  position: HistoryPosition,
  sentTexts: readonly string[],
  text: string,
  direction: "older" | "newer",
): { readonly position: HistoryPosition; readonly text: string } | undefined {
  const unsentText = position.at === -1 ? text : position.unsentText;
  const at = position.at + (direction === "older" ? 1 : -1);
  if (at < -1 || at >= sentTexts.length) return undefined;
  return {
    position: { at, unsentText },
    text: at === -1 ? unsentText : (sentTexts[at] ?? ""),
  };
}
