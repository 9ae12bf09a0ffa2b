/** What JSON calls the kind of a value, for messages about a value of the wrong kind. */
export function jsonKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
