/** The line for messages: `prompt` when the agent waits for one, `later` for one after this turn. */
export type InputKind = "none" | "prompt" | "later";

/** What decides about the line and the keys. */
export interface InputState {
  /** The session was shown: before that nothing is known of it. */
  readonly isShown: boolean;
  /** Something is under way: a turn, a start, a message that the agent does not have yet. */
  readonly isBusy: boolean;
  /** More of the conversation was shown than the board knows of: it may be about to say something else. */
  readonly isStale: boolean;
  /** An ask is on the terminal, or about to be. */
  readonly isAsking: boolean;
  /** The person wants to write, although the agent works. */
  readonly isComposing: boolean;
  /** This turn was interrupted from here already. */
  readonly isInterrupted: boolean;
}

export type KeyPress =
  | { readonly key: "enter"; readonly text: string }
  | { readonly key: "ctrl-c" };

/**
 * `send` the text, `write`: show the line with the text in it, `put-away`: the person writes nothing after
 * all. No deed drops a text.
 */
type KeyAction = "send" | "write" | "put-away" | "interrupt" | "leave";

/** The line that belongs on the terminal. */
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

/** What a key does while this line is on the terminal: what the person sees, or has just seen, counts. */
export function getKeyAction(scene: InputState, line: InputKind, key: KeyPress): KeyAction {
  if (key.key === "enter") {
    if (line === "none") return "write";
    return key.text.trim() === "" ? "put-away" : "send";
  }
  if (line === "prompt" || scene.isInterrupted) return "leave";
  return scene.isShown && scene.isBusy ? "interrupt" : "leave";
}
