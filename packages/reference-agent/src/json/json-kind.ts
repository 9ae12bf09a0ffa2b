/** Names the kind of a value as JSON does, for error messages about values of the wrong kind. */
export function jsonKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
