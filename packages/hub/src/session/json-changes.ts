/**
 * What turns one JSON value into another: a new value, a longer list or text of which the beginning stays, or
 * changed and removed fields of an object.
 */
export type JsonChanges =
  | { readonly set: unknown }
  | { readonly keep: number; readonly add: string | readonly unknown[] }
  | { readonly fields: Readonly<Record<string, JsonChanges>>; readonly gone?: readonly string[] };

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Finds what has changed; undefined: nothing. Parts that are the same object are not looked at, so the cost
 * depends on what has changed and not on the size of the value.
 */
export function findJsonChanges(before: unknown, after: unknown): JsonChanges | undefined {
  if (before === after) return undefined;
  if (typeof before === "string" && typeof after === "string" && before !== "") {
    return after.startsWith(before)
      ? { keep: before.length, add: after.slice(before.length) }
      : { set: after };
  }
  if (Array.isArray(before) && Array.isArray(after)) return findListChanges(before, after);
  if (isObject(before) && isObject(after)) return findFieldChanges(before, after);
  return { set: after };
}

function findListChanges(
  before: readonly unknown[],
  after: readonly unknown[],
): JsonChanges | undefined {
  let keep = 0;
  while (keep < before.length && keep < after.length && before[keep] === after[keep]) keep++;
  if (keep === before.length && keep === after.length) return undefined;
  return keep === 0 ? { set: after } : { keep, add: after.slice(keep) };
}

function findFieldChanges(before: JsonObject, after: JsonObject): JsonChanges | undefined {
  const changed: [string, JsonChanges][] = [];
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue; // JSON leaves such a field out
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const changes = old === undefined ? { set: value } : findJsonChanges(old, value);
    if (changes) changed.push([name, changes]);
  }
  const removedKeys = Object.keys(before).filter(
    (name) =>
      before[name] !== undefined && (!Object.hasOwn(after, name) || after[name] === undefined),
  );
  if (changed.length === 0 && removedKeys.length === 0) return undefined;
  return {
    fields: Object.fromEntries(changed),
    ...(removedKeys.length > 0 && { gone: removedKeys }),
  };
}

/** Makes the changes. Parts that have not changed stay the same objects. */
export function applyJsonChanges(before: unknown, changes: JsonChanges): unknown {
  if ("set" in changes) return changes.set;
  if ("keep" in changes) {
    const { keep, add } = changes;
    if (typeof before === "string" && typeof add === "string") return before.slice(0, keep) + add;
    if (Array.isArray(before) && Array.isArray(add)) {
      return [...(before as unknown[]).slice(0, keep), ...(add as unknown[])];
    }
    throw new Error("a list or a text was expected");
  }
  if (!isObject(before)) throw new Error("an object was expected");
  const removedKeys = new Set(changes.gone);
  const fields = new Map(Object.entries(before).filter(([name]) => !removedKeys.has(name)));
  for (const [name, change] of Object.entries(changes.fields)) {
    fields.set(name, applyJsonChanges(fields.get(name), change));
  }
  return Object.fromEntries(fields);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
