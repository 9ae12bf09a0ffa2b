import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

/** Reads fields that may be missing or of another type. These functions never throw. */
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

/** Removes the fields that are undefined, so that they are not stored. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  for (const key in fields) if (fields[key] === undefined) return copied(fields);
  return fields as { [K in keyof T]: Exclude<T[K], undefined> };
}

function copied<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const definedFields: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) definedFields[key] = fields[key];
  return definedFields as { [K in keyof T]: Exclude<T[K], undefined> };
}
