import { isSettledAt, updatePlacement, type ElementBox, type Placement } from "./settling.ts";

/** How often the positions of guarded elements are checked. */
const CHECK_MS = 100;
/** A click later than this after a press does not belong to it. Screen readers click without a press. */
const MAX_PRESS_MS = 1000;

interface WatchedElement {
  readonly key: string;
  readonly refuses: boolean;
  readonly onChange: (settled: boolean) => void;
  placement: Placement;
  settled: boolean;
}

const watched = new Map<Element, WatchedElement>();
let disturbedAt = Number.NEGATIVE_INFINITY;
/** The time of the key or pointer press that the next click belongs to. */
let pressedAt: number | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

interface WatchOptions {
  /** Identifies what the element stands for. When it changes, the element has to settle again. */
  readonly key: string;
  /** Whether clicks are blocked until the element has settled. */
  readonly refuses: boolean;
  readonly onChange: (settled: boolean) => void;
}

/**
 * Watches whether an element has been at its position for long enough. Returns a function that stops
 * watching.
 */
export function watchElement(
  element: Element,
  { key, refuses, onChange }: WatchOptions,
): () => void {
  const placement = updatePlacement(undefined, key, measure(element), performance.now());
  const one: WatchedElement = { key, refuses, onChange, placement, settled: false };
  watched.set(element, one);
  if (watched.size === 1) startListening();
  // The time starts when the element is painted, which may be late on a busy page.
  const drawn = requestAnimationFrame(() => {
    one.placement = { ...one.placement, since: performance.now() };
    checkPositions();
  });
  return () => {
    cancelAnimationFrame(drawn);
    watched.delete(element);
    if (watched.size === 0) stopListening();
  };
}

/**
 * Makes all elements settle again, because the next click may have been meant for what was just answered or
 * for another window.
 */
export function resetSettling(): void {
  disturbedAt = performance.now();
  checkPositions();
}

/** Updates the placement of every watched element. */
export function checkPositions(): void {
  const now = performance.now();
  for (const [element, one] of watched) {
    one.placement = updatePlacement(one.placement, one.key, measure(element), now);
    const settled = isSettledAt(one.placement, now, disturbedAt);
    if (settled === one.settled) continue;
    one.settled = settled;
    one.onChange(settled);
  }
}

/** Whether a press at this time was meant for this element. */
export function isIntentional(element: Element, at: number): boolean {
  const one = watched.get(element);
  if (!one) return false;
  one.placement = updatePlacement(one.placement, one.key, measure(element), performance.now());
  return isSettledAt(one.placement, at, disturbedAt);
}

function measure(element: Element): ElementBox {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const x = middle(left, right, window.innerWidth);
  const inFront = document.elementFromPoint(x, middle(top, bottom, window.innerHeight));
  return { left, top, right, bottom, covered: inFront !== null && !element.contains(inFront) };
}

/** The middle of the visible part between two edges, or of all of it if none is visible. */
function middle(from: number, to: number, end: number): number {
  const isInSight = to > 0 && from < end;
  return isInSight ? (Math.max(from, 0) + Math.min(to, end)) / 2 : (from + to) / 2;
}

function onPress(event: Event): void {
  if (event instanceof KeyboardEvent && event.repeat) return;
  pressedAt = event.timeStamp;
}

/** Blocks clicks that were not meant for the element they hit, before any other handler runs. */
function onClick(event: Event): void {
  const { target, timeStamp } = event;
  const at =
    pressedAt !== undefined && timeStamp - pressedAt < MAX_PRESS_MS ? pressedAt : timeStamp;
  pressedAt = undefined;
  if (!(target instanceof Node)) return;
  for (const [element, { refuses }] of watched) {
    if (!refuses || !element.contains(target) || isIntentional(element, at)) continue;
    event.preventDefault();
    event.stopImmediatePropagation();
    checkPositions();
  }
}

function onPageVisible(): void {
  if (document.visibilityState === "visible") resetSettling();
}

function startListening(): void {
  timer = setInterval(checkPositions, CHECK_MS);
  window.addEventListener("pointerdown", onPress, true);
  window.addEventListener("keydown", onPress, true);
  window.addEventListener("click", onClick, true);
  window.addEventListener("focus", onPageVisible);
  document.addEventListener("visibilitychange", onPageVisible);
}

function stopListening(): void {
  clearInterval(timer);
  pressedAt = undefined;
  window.removeEventListener("pointerdown", onPress, true);
  window.removeEventListener("keydown", onPress, true);
  window.removeEventListener("click", onClick, true);
  window.removeEventListener("focus", onPageVisible);
  document.removeEventListener("visibilitychange", onPageVisible);
}
