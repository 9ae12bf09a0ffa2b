import { isObject, type JsonObject } from "@signalbox/protocol";

/** Reading fields that may be missing or of another type: whatever comes, nothing throws. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** An entry of a record whose keys come from outside: `constructor` is a name like any other. */
export function own<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The object without the fields that are undefined, so that what is stored is what was said. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}
