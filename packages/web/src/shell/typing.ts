/** Whether keys go into a text: then they are no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    "textarea, select, input:not([type=checkbox], [type=radio], [type=button])",
  );
}
