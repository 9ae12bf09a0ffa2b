/** Damages a message in tests: lists each of its fields, and the values that may replace it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = (string | number)[];

/**
 * The paths to all fields of a value, down to the leaves; for a list only its first two entries.
 */
export function* paths(value: Json, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) {
    for (const [i, part] of value.slice(0, 2).entries()) yield* paths(part, [...path, i]);
  } else if (value !== null && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) yield* paths(part, [...path, key]);
  }
}

/** Replaces the value at a path; undefined removes it. */
export function changed(value: Json, [step, ...rest]: Path, to: Json | undefined): Json {
  if (step === undefined) return to ?? null;
  if (Array.isArray(value))
    return value.map((part, i) => (i === step ? changed(part, rest, to) : part));
  const copy = { ...(value as { [key: string]: Json }) };
  if (rest.length === 0 && to === undefined) delete copy[step];
  else copy[step] = changed(copy[step] ?? null, rest, to);
  return copy;
}

export const instead: (Json | undefined)[] = [
  undefined,
  null,
  7,
  "text",
  true,
  [],
  {},
  [{}],
  -1e308,
  "constructor",
  "__proto__",
];
