/** All shortcuts, as the help sheet shows them. */
export const shortcuts = [
  { keys: "Ctrl+K", words: "commands and sessions" },
  { keys: "n", words: "new session" },
  { keys: "g b", words: "board" },
  { keys: "g i", words: "inbox" },
  { keys: "g s", words: "settings" },
  { keys: "/", words: "filter the board, or write a message" },
  { keys: "?", words: "this sheet" },
  { keys: "Enter", words: "send; Shift+Enter makes a new line" },
  { keys: "Ctrl+Enter", words: "send into the running turn" },
  { keys: "↑", words: "in an empty message: what was said before" },
  { keys: "Esc Esc", words: "interrupt the turn" },
  { keys: "j k", words: "in the inbox: next and previous" },
  { keys: "a", words: "in the inbox: allow what is current" },
  { keys: "d", words: "in the inbox: deny with words" },
  { keys: "e", words: "in the inbox: edit, then allow" },
  { keys: "o", words: "in the inbox: open the session" },
] as const;

export type Wish = "palette" | "new" | "board" | "inbox" | "settings" | "focus" | "help";

/** What a key means, given the one before it; `g` waits for a second. */
export function wishOf(
  event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  before: string | undefined,
  typing: boolean,
): Wish | undefined {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") return "palette";
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (before === "g") {
    if (event.key === "b") return "board";
    if (event.key === "i") return "inbox";
    if (event.key === "s") return "settings";
  }
  if (event.key === "n") return "new";
  if (event.key === "/") return "focus";
  return event.key === "?" ? "help" : undefined;
}
