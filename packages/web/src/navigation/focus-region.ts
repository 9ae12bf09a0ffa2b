/** The areas of the page in their order, each with what takes the focus when it is reached. */
const REGIONS = [
  "[data-role=sidebar] a[aria-current=page], [data-role=sidebar] a",
  "[data-role=conversation], main [data-home], main h1",
  ".asks-dock [data-ask]",
  ".queue-row button",
  "[data-role=composer], [data-role=first-prompt]",
  ".side-panel [role=tab][aria-selected=true], .side-panel button",
] as const;

/** Moves the focus to the next area that is there, or to the previous one. Returns whether there is one. */
export function focusNextRegion(step: 1 | -1): boolean {
  const targets = REGIONS.flatMap((selector) => findVisible(selector) ?? []);
  const at = targets.findIndex((target) => target.contains(document.activeElement));
  const from = at === -1 ? findCurrent(targets) : at;
  const next = targets.at((from + step + targets.length) % targets.length);
  next?.focus();
  return next !== undefined;
}

function findVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());
}

/** The last area that begins before the focus, where the focus is on none of the targets themselves. */
function findCurrent(targets: readonly HTMLElement[]): number {
  const { activeElement: focused } = document;
  if (!focused || focused === document.body) return -1;
  return targets.findLastIndex(
    (target) => target.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
}
