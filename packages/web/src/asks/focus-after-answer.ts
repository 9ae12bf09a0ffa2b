import { isTouchOnly } from "../browser/screen.ts";
import {
  createContext,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";

/** Called when an ask is being answered. The returned function is called if the answer fails. */
type OnAnswer = () => () => void;
export const AnswerContext = createContext<OnAnswer>(() => () => {});

/** The container inside of which the focus moves on to the next ask. */
const ASK_GROUP = "[data-asks]";
const OPEN_ASK = "[data-ask][data-status=open]";

/**
 * Where the focus goes when no ask is left. On touch screens this is never a text field, which would open the
 * keyboard.
 */
function findFallbackFocus(place: Element): HTMLElement | null {
  const homes = isTouchOnly()
    ? "[data-role=conversation], [data-home]"
    : "[data-role=composer], [data-home]";
  return place.querySelector(homes);
}

/**
 * The next open ask below the answered one, or the first. The card is focused, never its Allow button (C16).
 */
function nextAsk(place: Element, answered: Element | null): HTMLElement | undefined {
  const open = [...place.querySelectorAll<HTMLElement>(OPEN_ASK)];
  const isBelow = (ask: Element) =>
    answered?.isConnected &&
    answered.compareDocumentPosition(ask) & Node.DOCUMENT_POSITION_FOLLOWING;
  return open.find(isBelow) ?? open[0];
}

/** Whether the focus was on something that has disappeared or belongs to the answered card. */
function isFocusLost(card: Element | null): boolean {
  const { activeElement: at } = document;
  return !at || at.matches("body, main") || (card?.contains(at) ?? false);
}

/**
 * Moves the focus to the next ask, or to the composer, once the ask of this card has been answered here. The
 * focus is left alone if the person has moved it elsewhere.
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
  useEffect(() => goOn, [goOn]); // A tile removes the card at once.
  return useCallback(() => {
    answered.current = card.current;
    place.current = card.current?.closest(ASK_GROUP) ?? null;
    return () => {
      place.current = null;
      if (isFocusLost(card.current)) card.current?.focus();
    };
  }, [card]);
}
