/** So long after the last sign of them, hands may still move the list: wheels and flings run on. */
const RUN_ON_MS = 500;
const KEYS_UP = new Set(["ArrowUp", "PageUp", "Home", "Tab"]);

/** Whether pressing this key may scroll up what has the focus. Tab goes to something that may be further up. */
export function scrollsUp({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
  return KEYS_UP.has(key) || (key === " " && shiftKey);
}

export interface Hands {
  /** They may move the list from now on. */
  readonly on: () => void;
  /** They are off, and the list is still. */
  readonly off: () => void;
}

/** Tells when a person's hands may be scrolling the element up: by wheel, finger, key, focus, or a pointer on its scrollbar. */
export function watchHands(element: HTMLElement, { on, off }: Hands): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let held = false;
  let touched = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  function rest(): void {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    // Scrolling is told of before the callbacks of its frame: what a busy page has yet to be told of counts.
    timer = setTimeout(() => (frame = requestAnimationFrame(finish)), RUN_ON_MS);
  }
  function finish(): void {
    if (held) return;
    touched = false;
    off();
  }
  function sign(): void {
    touched = true;
    on();
    rest();
  }
  function hold(): void {
    held = true;
    sign();
  }
  function letGo(): void {
    if (!held) return;
    held = false;
    rest();
  }

  const listen = { passive: true, signal };
  element.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && sign(), listen);
  element.addEventListener("keydown", (event) => scrollsUp(event) && sign(), listen);
  element.addEventListener("focusin", sign, listen);
  element.addEventListener("touchstart", hold, listen);
  element.addEventListener(
    "pointerdown",
    (event) => event.pointerType !== "touch" && hold(),
    listen,
  );
  element.addEventListener("scroll", () => touched && rest(), listen);
  element.addEventListener("scrollend", letGo, listen); // of a drag of the scrollbar nothing else may tell
  for (const type of ["touchend", "touchcancel", "pointerup"]) {
    window.addEventListener(type, letGo, listen);
  }
  window.addEventListener("pointermove", ({ buttons }) => buttons === 0 && letGo(), listen);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  });
  return () => ended.abort();
}
