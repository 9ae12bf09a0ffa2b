/** A walk through what was said before. `at` -1: what is being written now. */
export interface Walk {
  readonly at: number;
  /** What was being written when the walk began. */
  readonly own: string;
}
export const noWalk: Walk = { at: -1, own: "" };

/** One step up (older) or down; undefined: there is nothing there. */
export function step(
  walk: Walk,
  said: readonly string[],
  text: string,
  direction: "older" | "newer",
): { readonly walk: Walk; readonly text: string } | undefined {
  const own = walk.at === -1 ? text : walk.own;
  const at = walk.at + (direction === "older" ? 1 : -1);
  if (at < -1 || at >= said.length) return undefined;
  return { walk: { at, own }, text: at === -1 ? own : (said[at] ?? "") };
}
