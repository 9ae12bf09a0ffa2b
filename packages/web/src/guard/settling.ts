/** A thing that may run on the person's machine is not allowed in the moment it comes under the hand (C16). */
const SETTLE_MS = 500;
/** Less than this is no move that a hand could miss by. */
const TOLERANCE_PX = 4;

/** Where something stands on the screen, and whether anything lies over it. */
export interface ElementBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly covered: boolean;
}

/** What stands at a place, and since when. */
export interface Placement {
  readonly key: string;
  readonly box: ElementBox;
  readonly since: number;
}

/**
 * After another look: whatever is another thing, moved, changed its size or came to light stands there only
 * since now. It is measured against where it began to stand, so that many small moves are one.
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
 * Whether a press at this time was meant for what stands there: nothing lies over it, and nothing had moved or
 * been answered just before.
 */
export function isSettledAt(
  { box, since }: Placement,
  pressedAt: number,
  disturbedAt: number,
): boolean {
  return !box.covered && pressedAt - Math.max(since, disturbedAt) >= SETTLE_MS;
}
