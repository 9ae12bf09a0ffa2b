import { lazy, Suspense, useEffect, useState } from "react";
import { findTip, type Tip } from "./tip.ts";

import { OptionalPart } from "./optional-part.tsx";

const Tooltip = lazy(() => import("./tooltip.tsx"));

/** How long the pointer rests on an element before its tooltip opens. */
const OPEN_DELAY_MS = 500;
/** Within this time after a tooltip has closed the next one opens at once. */
const WARM_MS = 300;

/**
 * Shows the tooltips of all elements that have a `data-tip`, one at a time. Elements carry only the text, so
 * that a conversation with thousands of them needs no components for it.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => watchTips(setTip), []);
  if (!tip) return null;
  return (
    <OptionalPart>
      <Suspense fallback={null}>
        <Tooltip key={tip.text} anchor={tip.anchor} text={tip.text} />
      </Suspense>
    </OptionalPart>
  );
}

/** Tells which tooltip is to be shown. Returns a function that stops it. */
function watchTips(show: (tip: Tip | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over: Element | null = null;
  let shown: Tip | undefined;
  /** Whether the focus was last moved by a key. */
  let isTabbing = false;
  let closedAt = Number.NEGATIVE_INFINITY;
  const set = (tip: Tip | undefined) => {
    if (shown && !tip) closedAt = performance.now();
    shown = tip;
    show(tip);
  };
  const close = () => {
    clearTimeout(timer);
    if (shown) set(undefined);
  };
  const openLater = (element: Element) => {
    const isWarm = performance.now() - closedAt < WARM_MS;
    timer = setTimeout(() => set(findTip(element)), isWarm ? 0 : OPEN_DELAY_MS);
  };
  const onOver = (event: PointerEvent) => {
    const element =
      event.pointerType === "mouse" && event.target instanceof Element
        ? event.target.closest("[data-tip]")
        : null;
    if (element === over) return;
    over = element;
    close();
    if (element) openLater(element);
  };
  /** By keyboard the names of buttons that are only icons are shown; other tooltips repeat what is written. */
  const onFocus = ({ target }: FocusEvent) => {
    close();
    // What the page itself focuses, such as a button in a sheet that opens, needs no explanation.
    if (!isTabbing || !(target instanceof Element)) return;
    if (target.matches("[data-tip][aria-label]:focus-visible")) openLater(target);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    isTabbing = key === "Tab" || key.startsWith("Arrow");
    if (key !== "Tab") close();
  };
  const onPointer = () => {
    isTabbing = false;
    close();
  };
  const listeners = [
    ["pointerover", onOver],
    ["pointerdown", onPointer],
    ["focusin", onFocus],
    ["focusout", close],
    ["keydown", onKey],
    ["scroll", close],
  ] as const;
  for (const [name, listener] of listeners) {
    document.addEventListener(name, listener as EventListener, { capture: true, passive: true });
  }
  return () => {
    close();
    for (const [name, listener] of listeners) {
      document.removeEventListener(name, listener as EventListener, { capture: true });
    }
  };
}
