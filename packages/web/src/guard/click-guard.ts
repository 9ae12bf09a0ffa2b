import { isSettledAt, updatePlacement, type ElementBox, type Placement } from "./settling.ts";

/** How often is looked where things stand, while there is something that could be allowed. */
const CHECK_MS = 100;
/** A click that comes later than this after a press did not come from it: a screen reader clicks without one. */
const MAX_PRESS_MS = 1000;

interface WatchedElement {
  readonly key: string;
  readonly refuses: boolean;
  readonly onChange: (settled: boolean) => void;
  stand: Placement;
  settled: boolean;
}

const watched = new Map<Element, WatchedElement>();
let disturbedAt = Number.NEGATIVE_INFINITY;
/** When the key or the pointer went down from which the next click will come. */
let pressedAt: number | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

interface WatchOptions {
  /** What it is: where another thing takes its element, the time begins anew. */
  readonly key: string;
  /** Whether clicks in it come to nothing while it has not settled. */
  readonly refuses: boolean;
  readonly onChange: (settled: boolean) => void;
}

/** Follows whether an element has been where it is for long enough; what it gives ends that. */
export function watchElement(
  element: Element,
  { key, refuses, onChange }: WatchOptions,
): () => void {
  const stand = updatePlacement(undefined, key, measure(element), performance.now());
  const one: WatchedElement = { key, refuses, onChange, stand, settled: false };
  watched.set(element, one);
  if (watched.size === 1) startListening();
  // Nobody sees it before it is drawn, which a busy page does late.
  const drawn = requestAnimationFrame(() => {
    one.stand = { ...one.stand, since: performance.now() };
    checkPositions();
  });
  return () => {
    cancelAnimationFrame(drawn);
    watched.delete(element);
    if (watched.size === 0) stopListening();
  };
}

/** Something was answered, or the page came back: whatever is pressed next was perhaps meant for that. */
export function resetSettling(): void {
  disturbedAt = performance.now();
  checkPositions();
}

/** Looks where everything stands by now. */
export function checkPositions(): void {
  const now = performance.now();
  for (const [element, one] of watched) {
    one.stand = updatePlacement(one.stand, one.key, measure(element), now);
    const settled = isSettledAt(one.stand, now, disturbedAt);
    if (settled === one.settled) continue;
    one.settled = settled;
    one.onChange(settled);
  }
}

/** Whether what is being handled, a press at this time, was meant for this element. */
export function isIntentional(element: Element, at: number): boolean {
  const one = watched.get(element);
  if (!one) return false;
  one.stand = updatePlacement(one.stand, one.key, measure(element), performance.now());
  return isSettledAt(one.stand, at, disturbedAt);
}

function measure(element: Element): ElementBox {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const x = middle(left, right, window.innerWidth);
  const inFront = document.elementFromPoint(x, middle(top, bottom, window.innerHeight));
  return { left, top, right, bottom, covered: inFront !== null && !element.contains(inFront) };
}

/** Of what is in sight between two edges; of what is not, of all of it. */
function middle(from: number, to: number, end: number): number {
  const isInSight = to > 0 && from < end;
  return isInSight ? (Math.max(from, 0) + Math.min(to, end)) / 2 : (from + to) / 2;
}

function onPress(event: Event): void {
  if (event instanceof KeyboardEvent && event.repeat) return;
  pressedAt = event.timeStamp;
}

/** Before anybody else hears of it: a click that was not meant for what it hit is none. */
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
