import { strings } from "../strings/strings.ts";

const text = strings.keys;

export type KeyGroup = keyof typeof text.groups;

/** What keys do in the view of changes. */
export type ChangeKeyAction =
  | "next-file"
  | "previous-file"
  | "next-change"
  | "previous-change"
  | "mark-viewed"
  | "comment"
  | "send-review";

/** What the page's own key handler does. Keys without an action are handled by the view they belong to. */
export type KeyAction =
  | "palette"
  | "new-session"
  | "previous-session"
  | "next-session"
  | "jump-to-session"
  | "next-needs-you"
  | "allow"
  | "deny"
  | "find"
  | "previous-prompt"
  | "next-prompt"
  | "sidebar"
  | "panel"
  | "shell"
  | "go-to-file"
  | ChangeKeyAction
  | "settings"
  | "next-area"
  | "help";

/** The keys that views show: those with an action, and some that a view handles itself. */
export type KeyName = KeyAction | "queue" | "send-now" | "interrupt";

interface KeyBinding {
  /** `Mod` is Ctrl, or Cmd on a Mac. Keys after each other are separated by a space. */
  readonly keys: string;
  readonly label: string;
  readonly group: KeyGroup;
  readonly action?: KeyAction;
  /** Under which name a view shows a key that it handles itself. */
  readonly name?: Exclude<KeyName, KeyAction>;
  /** Whether the key works only while the message is empty, because it means something else while typing. */
  readonly needsEmptyMessage?: true;
}

/** Every key of the page. The help and the handlers are both made from this table. */
export const keyTable: readonly KeyBinding[] = [
  { keys: "Mod+K", label: text.palette, group: "general", action: "palette" },
  { keys: "Mod+B", label: text.sidebar, group: "general", action: "sidebar" },
  { keys: "Mod+Alt+B", label: text.panel, group: "general", action: "panel" },
  { keys: "Mod+,", label: text.settings, group: "general", action: "settings" },
  { keys: "F6", label: text.nextArea, group: "general", action: "next-area" },
  { keys: "?", label: text.help, group: "general", action: "help" },
  { keys: "Alt+N", label: text.newSession, group: "sessions", action: "new-session" },
  {
    keys: "Alt+ArrowUp",
    label: text.previousSession,
    group: "sessions",
    action: "previous-session",
  },
  { keys: "Alt+ArrowDown", label: text.nextSession, group: "sessions", action: "next-session" },
  { keys: "Alt+1…9", label: text.jumpToSession, group: "sessions", action: "jump-to-session" },
  { keys: "Alt+U", label: text.nextNeedsYou, group: "sessions", action: "next-needs-you" },
  { keys: "Mod+F", label: text.find, group: "sessions", action: "find" },
  { keys: "Mod+P", label: text.goToFile, group: "sessions", action: "go-to-file" },
  { keys: "[", label: text.previousPrompt, group: "sessions", action: "previous-prompt" },
  { keys: "]", label: text.nextPrompt, group: "sessions", action: "next-prompt" },
  {
    keys: "Mod+Enter",
    label: text.allow,
    group: "requests",
    action: "allow",
    needsEmptyMessage: true,
  },
  {
    keys: "Mod+Backspace",
    label: text.deny,
    group: "requests",
    action: "deny",
    needsEmptyMessage: true,
  },
  { keys: "Enter", label: text.queue, group: "messages", name: "queue" },
  { keys: "Shift+Enter", label: text.newLine, group: "messages" },
  { keys: "Mod+Enter", label: text.sendNow, group: "messages", name: "send-now" },
  { keys: "Escape Escape", label: text.interrupt, group: "messages", name: "interrupt" },
  { keys: "Shift+Tab", label: text.nextPermission, group: "messages" },
  { keys: "ArrowUp", label: text.history, group: "messages" },
  { keys: "J K", label: text.inboxMove, group: "inbox" },
  { keys: "A", label: text.inboxAllow, group: "inbox" },
  { keys: "D", label: text.inboxDeny, group: "inbox" },
  { keys: "E", label: text.inboxEdit, group: "inbox" },
  { keys: "O", label: text.inboxOpen, group: "inbox" },
  { keys: "J", label: text.nextFile, group: "changes", action: "next-file" },
  { keys: "K", label: text.previousFile, group: "changes", action: "previous-file" },
  { keys: "N", label: text.nextChange, group: "changes", action: "next-change" },
  { keys: "P", label: text.previousChange, group: "changes", action: "previous-change" },
  { keys: "V", label: text.markViewed, group: "changes", action: "mark-viewed" },
  { keys: "C", label: text.comment, group: "changes", action: "comment" },
  { keys: "Mod+Enter", label: text.sendReview, group: "changes" },
  { keys: "Mod+J", label: text.toggleShell, group: "terminals", action: "shell" },
  { keys: "Ctrl+Shift+F", label: text.findInTerminal, group: "terminals" },
  { keys: "Ctrl+Shift+C", label: text.copyFromTerminal, group: "terminals" },
  { keys: "Ctrl+Shift+V", label: text.pasteIntoTerminal, group: "terminals" },
];

export interface KeyPress {
  readonly key: string;
  /** The position of the key, because Alt changes the letters of some keyboards. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** What the person is doing while a key is pressed. */
interface KeyContext {
  readonly isTyping: boolean;
  /** Whether the focus is in a message that has no text yet. */
  readonly isMessageEmpty: boolean;
  /** Whether the keyboard is a Mac's: there `Mod` is Cmd alone, because Ctrl moves the caret. */
  readonly isMac: boolean;
}

/** The binding of a key press that has an action, if it applies now. */
export function findBinding(press: KeyPress, context: KeyContext): KeyBinding | undefined {
  return keyTable.find((binding) => {
    if (binding.action === undefined || !matches(binding.keys, press, context.isMac)) return false;
    const needsModifier =
      context.isTyping && !(context.isMessageEmpty && binding.needsEmptyMessage);
    if (binding.needsEmptyMessage && context.isTyping && !context.isMessageEmpty) return false;
    const isTypable = !press.ctrlKey && !press.metaKey && !press.altKey && press.key.length === 1;
    return !needsModifier || !isTypable;
  });
}

function matches(keys: string, press: KeyPress, isMac: boolean): boolean {
  const parts = keys.split("+");
  const wanted = parts.at(-1) ?? "";
  if (isMac ? press.ctrlKey : press.metaKey) return false;
  const isMod = isMac ? press.metaKey : press.ctrlKey;
  if (parts.includes("Mod") !== isMod || parts.includes("Alt") !== press.altKey) return false;
  if (wanted === "1…9") return /^Digit[1-9]$/.test(press.code);
  if (/^[A-Z]$/.test(wanted)) return press.code === `Key${wanted}`;
  return press.key === wanted;
}

/** The order in which a Mac lists the keys that are held; what is pressed with them comes last. */
const MAC_ORDER = ["Alt", "Shift", "Mod"];

/** The keys as a person reads them, such as `⌘K` on a Mac and `Ctrl+K` elsewhere. */
export function formatKeys(keys: string, isMac: boolean): string {
  const names: Readonly<Record<string, string>> = {
    Mod: isMac ? "⌘" : "Ctrl",
    Alt: isMac ? "⌥" : "Alt",
    Shift: isMac ? "⇧" : "Shift",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Backspace: isMac ? "⌫" : "Backspace",
    Escape: "Esc",
    Enter: isMac ? "⏎" : "Enter",
  };
  return keys
    .split(" ")
    .map((chord) =>
      (isMac ? sortHeldKeys(chord.split("+")) : chord.split("+"))
        .map((part) => names[part] ?? part)
        .join(isMac ? "" : "+"),
    )
    .join(" ");
}

function sortHeldKeys(parts: readonly string[]): readonly string[] {
  const rank = (part: string) => {
    const at = MAC_ORDER.indexOf(part);
    return at === -1 ? MAC_ORDER.length : at;
  };
  return parts.toSorted((a, b) => rank(a) - rank(b));
}
