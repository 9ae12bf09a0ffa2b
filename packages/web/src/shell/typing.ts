/** Whether keys go into a text: then they are no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    "textarea, select, input:not([type=checkbox], [type=radio], [type=button])",
  );
}

/** A touch screen: its keyboard is not called up by itself, and its Enter makes a new line. */
export function hasOnlyFingers(): boolean {
  return typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;
}

/** Whether Enter is meant: not held down, and not to choose a word in an input method. */
export function isEnter(event: {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly nativeEvent: { readonly isComposing: boolean };
}): boolean {
  const { key, shiftKey, repeat, nativeEvent } = event;
  return key === "Enter" && !shiftKey && !repeat && !nativeEvent.isComposing;
}
