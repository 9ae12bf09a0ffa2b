/** Looks up an untrusted key in a table; inherited names such as `constructor` are ignored. */
export function lookup<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}
