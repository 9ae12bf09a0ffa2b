/**
 * Removes fields without a value. Unlike with conditional spreads, the compiler sees a misspelled field name.
 */
export function omitUndefined<T extends object>(fields: {
  readonly [Name in keyof T]: T[Name] | undefined;
}): T {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as T;
}
