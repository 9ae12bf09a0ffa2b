/** So long after the last sign of them, hands may still move the list: wheels and flings run on. */
const MOMENTUM_MS = 500;
const UPWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home", "Tab"]);

/** Whether pressing this key may scroll up what has the focus. Tab goes to something that may be further up. */
export function scrollsUp({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
  return UPWARD_KEYS.has(key) || (key === " " && shiftKey);
}

interface UserScrollHandlers {
  /** They may move the list from now on. */
  readonly onStart: () => void;
  /** They are off, and the list is still. */
  readonly onEnd: () => void;
}

/** Tells when a person's hands may be scrolling the element up: by wheel, finger, key, focus, or a pointer on its scrollbar. */
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
    // Scrolling is told of before the callbacks of its frame: what a busy page has yet to be told of counts.
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
  element.addEventListener("scrollend", release, listen); // of a drag of the scrollbar nothing else may tell
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
