/** All shortcuts, for the help dialog. */
export const shortcutHelp = [
  { keys: "Ctrl+K", label: "commands and sessions" },
  { keys: "n", label: "new session" },
  { keys: "g b", label: "board" },
  { keys: "g i", label: "inbox" },
  { keys: "g s", label: "settings" },
  { keys: "/", label: "filter the board, or write a message" },
  { keys: "?", label: "this sheet" },
  { keys: "Enter", label: "send; Shift+Enter makes a new line" },
  { keys: "Ctrl+Enter", label: "send into the running turn" },
  { keys: "↑", label: "in an empty message: what was said before" },
  { keys: "Esc Esc", label: "interrupt the turn" },
  { keys: "j k", label: "in the inbox: next and previous" },
  { keys: "a", label: "in the inbox: allow what is current" },
  { keys: "d", label: "in the inbox: deny with words" },
  { keys: "e", label: "in the inbox: edit, then allow" },
  { keys: "o", label: "in the inbox: open the session" },
] as const;

export type Shortcut = "palette" | "new" | "board" | "inbox" | "settings" | "focus" | "help";

/** The shortcut of a key, given the key before it. `g` starts a sequence. */
export function matchShortcut(
  event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  before: string | undefined,
  typing: boolean,
): Shortcut | undefined {
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
