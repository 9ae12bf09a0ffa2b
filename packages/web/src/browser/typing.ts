/** Whether keys go into a text: then they are no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    "textarea, select, input:not([type=checkbox], [type=radio], [type=button])",
  );
}

/** For so long after a letter the next key is taken for one, too. */
const TYPING_PAUSE_MS = 2000;

/**
 * Whether letters are being written, be the field gone under the hands meanwhile: what is typed on is then no
 * shortcut. It ends by a pause, by the mouse, or by a key that leaves a text.
 */
export class TypingTracker {
  #at = Number.NEGATIVE_INFINITY;

  /** After another key; gives whether it belongs to what is being written. */
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
/** The last key that was pressed, and whether it belonged to what is being written. */
let last: { readonly event: KeyboardEvent; readonly flows: boolean } | undefined;
globalThis.window?.addEventListener("pointerdown", () => typingTracker.pointer(), true);
globalThis.window?.addEventListener("keydown", (event) => void belongsToTyping(event), true);

/** Whether a key that was pressed belongs to what is being written, so that it is no shortcut. */
export function belongsToTyping(event: KeyboardEvent): boolean {
  if (last?.event !== event) {
    const flows = typingTracker.key(event.key, isTyping(event.target), event.timeStamp);
    last = { event, flows };
  }
  return last.flows || isTyping(event.target);
}

/** The ask in whose field somebody writes at this moment. */
export function findFocusedAsk(): string | undefined {
  const at = document.activeElement;
  if (!isTyping(at)) return undefined;
  return at?.closest<HTMLElement>("[data-ask]")?.dataset["ask"];
}

/** Whether Enter is meant: not held down, and not to choose a word in an input method. */
export function isPlainEnter(event: {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly nativeEvent: { readonly isComposing: boolean };
}): boolean {
  const { key, shiftKey, repeat, nativeEvent } = event;
  return key === "Enter" && !shiftKey && !repeat && !nativeEvent.isComposing;
}
