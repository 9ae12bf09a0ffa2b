/**
 * How long an element must stay in place before it can be clicked, so that nothing is allowed in the moment
 * it appears under the pointer (C16).
 */
const SETTLE_MS = 500;
/** Smaller movements do not matter. */
const TOLERANCE_PX = 4;

/** The position of an element on the screen, and whether something covers it. */
export interface ElementBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly covered: boolean;
}

/** What is at a position, and since when. */
export interface Placement {
  readonly key: string;
  readonly box: ElementBox;
  readonly since: number;
}

/**
 * The placement after another check. Anything that was replaced, moved, resized or uncovered starts anew.
 * Positions are compared with the first one, so that many small movements add up.
 */
export function updatePlacement(
  before: Placement | undefined,
  key: string,
  box: ElementBox,
  now: number,
): Placement {
  return before?.key === key && isSameBox(before.box, box) ? before : { key, box, since: now };
}

function isSameBox(a: ElementBox, b: ElementBox): boolean {
  const edges = ["left", "top", "right", "bottom"] as const;
  return (
    a.covered === b.covered && edges.every((edge) => Math.abs(a[edge] - b[edge]) < TOLERANCE_PX)
  );
}

/**
 * Whether a press at this time was meant for the element: it is not covered, and nothing had moved or been
 * answered just before.
 */
export function isSettledAt(
  { box, since }: Placement,
  pressedAt: number,
  disturbedAt: number,
): boolean {
  return !box.covered && pressedAt - Math.max(since, disturbedAt) >= SETTLE_MS;
}
