/** A word of a table by a name from outside: `constructor` and the like are no words of it. */
export function lookup<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}
