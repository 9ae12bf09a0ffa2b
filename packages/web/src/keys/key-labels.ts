import { formatKeys, type KeyName, keyTable } from "./key-table.ts";

/** Whether the person's keyboard is a Mac's, whose keys have other names. */
export function isMacKeyboard(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** The keys of an action as this keyboard names them, such as `⌘K` or `Ctrl+K`. */
export function keyLabel(name: KeyName): string {
  const binding = keyTable.find((one) => (one.action ?? one.name) === name);
  return binding === undefined ? "" : formatKeys(binding.keys, isMacKeyboard());
}
