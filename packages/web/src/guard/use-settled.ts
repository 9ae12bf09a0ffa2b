import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { checkPositions, watchElement } from "./click-guard.ts";

interface Settled<E> {
  readonly ref: RefObject<E | null>;
  /** Whether the element has been in place for long enough and nothing was answered meanwhile. */
  readonly settled: boolean;
}

/**
 * Guards an element that grants something (C16): clicks are ignored for half a second after it has appeared
 * or moved. With `refuses: false` it is only observed.
 */
export function useSettled<E extends HTMLElement>(key: string, refuses = true): Settled<E> {
  const ref = useRef<E>(null);
  const [settled, setSettled] = useState<string>();
  useLayoutEffect(() => {
    if (!ref.current) return undefined;
    const onChange = (is: boolean) => setSettled(is ? key : undefined);
    return watchElement(ref.current, { key, refuses, onChange });
  }, [key, refuses]);
  useLayoutEffect(checkPositions); // Its size may have changed with its text.
  return { ref, settled: settled === key };
}

/** Keeps a held key from pressing a button. */
export function refuseRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
