import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { JsonText } from "./payload.ts";

type OptionalFields<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
type RequiredFields<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };
type WithoutUndefined<T> = {
  [K in keyof (OptionalFields<T> & RequiredFields<T>)]: (OptionalFields<T> & RequiredFields<T>)[K];
};

/** Removes the fields that are undefined: JSON has no such value. */
export function omitUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  for (const key in fields)
    if (fields[key] === undefined) return copied(fields) as WithoutUndefined<T>;
  return fields;
}

function copied<T extends object>(fields: T): Partial<T> {
  const definedFields: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) definedFields[key] = fields[key];
  return definedFields;
}

/** The fields of an object; none if the value is not an object. */
export function toFields(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A string that is not empty. */
export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined; // JSON has no -0.
}

/** Rounds milliseconds, of which nobody needs the fractions. */
export function toInteger(value: number | undefined): number | undefined {
  return value === undefined ? undefined : number(Math.round(value));
}

export function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/**
 * Any value as text, for a field that should have been a string: it is better to show it than to
 * lose it.
 */
export function stringify(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return ""; // A circular value, a bigint, or nesting deeper than the stack: none of these can come from a line.
  }
}

export function stringifyOrUndefined(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : stringify(value);
}

/** A value from a line, kept unchanged. */
export function json(value: unknown): JsonText {
  return (value ?? null) as JsonText;
}
