/** A walk through what was said before. `at` -1: what is being written now. */
interface HistoryPosition {
  readonly at: number;
  /** What was being written when the walk began. */
  readonly unsentText: string;
}
export const notBrowsing: HistoryPosition = { at: -1, unsentText: "" };

/** One step up (older) or down; undefined: there is nothing there. */
export function stepHistory(
  position: HistoryPosition,
  said: readonly string[],
  text: string,
  direction: "older" | "newer",
): { readonly position: HistoryPosition; readonly text: string } | undefined {
  const unsentText = position.at === -1 ? text : position.unsentText;
  const at = position.at + (direction === "older" ? 1 : -1);
  if (at < -1 || at >= said.length) return undefined;
  return {
    position: { at, unsentText },
    text: at === -1 ? unsentText : (said[at] ?? ""),
  };
}
