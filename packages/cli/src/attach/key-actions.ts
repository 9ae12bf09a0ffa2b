/** The input line: `prompt` when the agent waits for a message, `later` for a follow-up after the running turn. */
export type InputKind = "none" | "prompt" | "later";

/** The state that decides which input line is shown and what a key does. */
export interface InputState {
  /** The session has been shown. Before that, nothing is known about it. */
  readonly isShown: boolean;
  /** A turn or a start is running, or the agent does not have a sent message yet. */
  readonly isBusy: boolean;
  /** Newer items were shown than the board knows about, so its state may be about to change. */
  readonly isStale: boolean;
  /** A question is on the terminal, or will be in a moment. */
  readonly isAsking: boolean;
  /** The person writes a follow-up while the agent works. */
  readonly isComposing: boolean;
  /** The running turn has been interrupted from this terminal. */
  readonly isInterrupted: boolean;
}

export type KeyPress =
  | { readonly key: "enter"; readonly text: string }
  | { readonly key: "ctrl-c" };

/**
 * `send` sends the text, `write` shows the line with the text in it, `cancel` closes an empty line. No action
 * discards text.
 */
type KeyAction = "send" | "write" | "cancel" | "interrupt" | "leave";

/** Returns the input line that should be on the terminal. */
export function getInputKind({
  isShown: begun,
  isBusy: busy,
  isStale: stale,
  isAsking: asking,
  isComposing: writing,
}: InputState): InputKind {
  if (!begun || asking) return "none";
  if (!busy) return stale ? "none" : "prompt";
  return writing ? "later" : "none";
}

/** Returns what a key does while this input line is on the terminal, since a key means what the person saw. */
export function getKeyAction(scene: InputState, line: InputKind, key: KeyPress): KeyAction {
  if (key.key === "enter") {
    if (line === "none") return "write";
    return key.text.trim() === "" ? "cancel" : "send";
  }
  if (line === "prompt" || scene.isInterrupted) return "leave";
  return scene.isShown && scene.isBusy ? "interrupt" : "leave";
}
