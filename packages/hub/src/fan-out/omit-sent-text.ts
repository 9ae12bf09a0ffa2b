/** A shorter text is not worth the trouble. */
const MIN_SENT = 100;

/**
 * The JSON of a settled item without the beginning of its text, which its readers have. Undefined: the item
 * is sent whole, because its text does not begin like that.
 */
export function omitSentText(json: string, sent: string): string | undefined {
  if (sent.length < MIN_SENT) return undefined;
  const item = JSON.parse(json) as { text?: unknown };
  if (typeof item.text !== "string" || !item.text.startsWith(sent)) return undefined;
  return JSON.stringify({ ...item, text: item.text.slice(sent.length) });
}
