/**
 * The fields that have a value. Unlike with spreads of conditional objects, the compiler sees a field whose
 * name is misspelled.
 */
export function omitUndefined<T extends object>(fields: {
  readonly [Name in keyof T]: T[Name] | undefined;
}): T {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as T;
}
