import { isTouchOnly } from "../browser/screen.ts";
import {
  createContext,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";

/** Told by whatever answers an ask, in the moment of the answer. What it gives is called if that did not count. */
type OnAnswer = () => () => void;
export const AnswerContext = createContext<OnAnswer>(() => () => {});

/** Around what a person does in one go; where an answered ask is over, the hands go on inside it. */
const ASK_GROUP = "[data-asks]";
const OPEN_ASK = "[data-ask][data-status=open]";

/** Where the hands are when no ask is left: a keyboard on a screen is not called up by itself. */
function findFallbackFocus(place: Element): HTMLElement | null {
  const homes = isTouchOnly()
    ? "[data-role=conversation], [data-home]"
    : "[data-role=composer], [data-home]";
  return place.querySelector(homes);
}

/** The next ask below the one that was answered, else the first. It is the ask that is focused: never its Allow (C16). */
function nextAsk(place: Element, answered: Element | null): HTMLElement | undefined {
  const open = [...place.querySelectorAll<HTMLElement>(OPEN_ASK)];
  const isBelow = (ask: Element) =>
    answered?.isConnected &&
    answered.compareDocumentPosition(ask) & Node.DOCUMENT_POSITION_FOLLOWING;
  return open.find(isBelow) ?? open[0];
}

/** Whether nobody has the focus: it was on something that is gone or cannot be used any more. */
function isFocusLost(card: Element | null): boolean {
  const { activeElement: at } = document;
  return !at || at.matches("body, main") || (card?.contains(at) ?? false);
}

/**
 * Keeps the focus where something can be done when an ask was answered here: its buttons are gone then.
 * Whoever has gone elsewhere meanwhile is left there.
 */
export function useFocusAfterAnswer(card: RefObject<HTMLElement | null>, open: boolean): OnAnswer {
  const place = useRef<Element | null>(null);
  const answered = useRef<Element | null>(null);
  const goOn = useCallback(() => {
    const from = place.current;
    place.current = null;
    if (!from?.isConnected || !isFocusLost(answered.current)) return;
    const next = nextAsk(from, answered.current) ?? findFallbackFocus(from);
    if (next) next.focus();
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, []);
  useLayoutEffect(() => {
    if (!open) goOn();
  }, [open, goOn]);
  useEffect(() => goOn, [goOn]); // on a tile it goes away at once
  return useCallback(() => {
    answered.current = card.current;
    place.current = card.current?.closest(ASK_GROUP) ?? null;
    return () => {
      place.current = null;
      if (isFocusLost(card.current)) card.current?.focus();
    };
  }, [card]);
}
