/** Whether an element takes text, so that keys are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    "textarea, select, input:not([type=checkbox], [type=radio], [type=button])",
  );
}

/** How long after a typed letter the next key still counts as typing. */
const TYPING_PAUSE_MS = 2000;

/**
 * Detects whether the person is typing, even if the text field has just disappeared: the next keys must not
 * become shortcuts. Typing ends with a pause, a click, or a key that leaves the field.
 */
export class TypingTracker {
  #at = Number.NEGATIVE_INFINITY;

  /** Records a key press. Returns whether it belongs to the text being typed. */
  key(key: string, typing: boolean, at: number): boolean {
    const flows = typing || at - this.#at < TYPING_PAUSE_MS;
    const leaves = key === "Enter" || key === "Escape" || key === "Tab";
    this.#at = flows && !leaves ? at : Number.NEGATIVE_INFINITY;
    return flows && !leaves;
  }
  pointer(): void {
    this.#at = Number.NEGATIVE_INFINITY;
  }
}

const typingTracker = new TypingTracker();
/** The last key event and whether it belonged to the text being typed. */
let last: { readonly event: KeyboardEvent; readonly flows: boolean } | undefined;
globalThis.window?.addEventListener("pointerdown", () => typingTracker.pointer(), true);
globalThis.window?.addEventListener("keydown", (event) => void belongsToTyping(event), true);

/** Whether a key press belongs to the text being typed, and is therefore not a shortcut. */
export function belongsToTyping(event: KeyboardEvent): boolean {
  if (last?.event !== event) {
    const flows = typingTracker.key(event.key, isTyping(event.target), event.timeStamp);
    last = { event, flows };
  }
  return last.flows || isTyping(event.target);
}

/** The id of the ask whose text field has the focus. */
export function findFocusedAsk(): string | undefined {
  const at = document.activeElement;
  if (!isTyping(at)) return undefined;
  return at?.closest<HTMLElement>("[data-ask]")?.dataset["ask"];
}

/** Whether Enter was pressed by itself: not held down, and not to confirm a word of an input method. */
export function isPlainEnter(event: {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly nativeEvent: { readonly isComposing: boolean };
}): boolean {
  const { key, shiftKey, repeat, nativeEvent } = event;
  return key === "Enter" && !shiftKey && !repeat && !nativeEvent.isComposing;
}
