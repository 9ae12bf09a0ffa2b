import type { KeyboardEvent } from "react";

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), summary, [tabindex]";

/** What Tab reaches inside an element, in the order of the document. */
export function findFocusable(within: HTMLElement): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
  );
}

/** Moves the focus from the last control of an element to its first, and back, instead of out of it. */
export function keepTabInside(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, target, shiftKey } = event;
  // The keys of a menu that was opened from here arrive here too, although the menu is somewhere else.
  if (!(target instanceof Node) || !currentTarget.contains(target)) return;
  const controls = findFocusable(currentTarget);
  const [first] = controls;
  const last = controls.at(-1);
  const isAtEnd = shiftKey ? target === first || target === currentTarget : target === last;
  if (!isAtEnd) return;
  event.preventDefault();
  (shiftKey ? last : first)?.focus();
}

/** Elements that stay usable: what closes the sheet, and messages about what was done before. */
const USABLE = ".sheet-scrim, .toasts";

/** Makes everything in the page around an element unreachable. Returns a function that undoes it. */
export function isolate(element: HTMLElement): () => void {
  const changed: Element[] = [];
  for (
    let inner: Element = element;
    inner.parentElement && !inner.matches(".app-frame");
    inner = inner.parentElement
  ) {
    for (const other of inner.parentElement.children) {
      if (other === inner || other.matches(USABLE) || other.hasAttribute("inert")) continue;
      other.setAttribute("inert", "");
      changed.push(other);
    }
  }
  return () => changed.forEach((other) => other.removeAttribute("inert"));
}
