/** How long after the last input the list may still move, because wheels and touch screens have momentum. */
const MOMENTUM_MS = 500;
const UPWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home", "Tab"]);

/** Whether a key may scroll up. Tab may focus something further up. */
export function scrollsUp({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
  return UPWARD_KEYS.has(key) || (key === " " && shiftKey);
}

interface UserScrollHandlers {
  /** The person may be scrolling from now on. */
  readonly onStart: () => void;
  /** The person has stopped and the list is still. */
  readonly onEnd: () => void;
}

/** Reports when the person may be scrolling up: by wheel, touch, key, focus, or a drag of the scrollbar. */
export function watchUserScroll(
  element: HTMLElement,
  { onStart, onEnd }: UserScrollHandlers,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let isHeld = false;
  let isScrolling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  function scheduleEnd(): void {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    // Scroll events arrive before the frame's callbacks, so this also waits for those that a busy page
    // delivers late.
    timer = setTimeout(() => (frame = requestAnimationFrame(finish)), MOMENTUM_MS);
  }
  function finish(): void {
    if (isHeld) return;
    isScrolling = false;
    onEnd();
  }
  function noteInput(): void {
    isScrolling = true;
    onStart();
    scheduleEnd();
  }
  function hold(): void {
    isHeld = true;
    noteInput();
  }
  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    scheduleEnd();
  }

  const listen = { passive: true, signal };
  element.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && noteInput(), listen);
  element.addEventListener("keydown", (event) => scrollsUp(event) && noteInput(), listen);
  element.addEventListener("focusin", noteInput, listen);
  element.addEventListener("touchstart", hold, listen);
  element.addEventListener(
    "pointerdown",
    (event) => event.pointerType !== "touch" && hold(),
    listen,
  );
  element.addEventListener("scroll", () => isScrolling && scheduleEnd(), listen);
  element.addEventListener("scrollend", release, listen); // Nothing else may report the end of a scrollbar drag.
  for (const type of ["touchend", "touchcancel", "pointerup"]) {
    window.addEventListener(type, release, listen);
  }
  window.addEventListener("pointermove", ({ buttons }) => buttons === 0 && release(), listen);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  });
  return () => ended.abort();
}
