import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { checkPositions, watchElement } from "./click-guard.ts";

interface Settled<E> {
  readonly ref: RefObject<E | null>;
  /** Whether it has been where it is for long enough, and nothing was answered meanwhile. */
  readonly settled: boolean;
}

/**
 * For whatever grants something (C16): clicks in it come to nothing for half a second after it came to its
 * place. With `refuses: false` it is followed only.
 */
export function useSettled<E extends HTMLElement>(key: string, refuses = true): Settled<E> {
  const ref = useRef<E>(null);
  const [settled, setSettled] = useState<string>();
  useLayoutEffect(() => {
    if (!ref.current) return undefined;
    const onChange = (is: boolean) => setSettled(is ? key : undefined);
    return watchElement(ref.current, { key, refuses, onChange });
  }, [key, refuses]);
  useLayoutEffect(checkPositions); // with other words in it, it may have grown
  return { ref, settled: settled === key };
}

/** For buttons that decide: a key that is held down presses nothing. */
export function refuseRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
