import { isObject } from "@signalbox/protocol/wire";
/** As much of JSON Schema as tool inputs and structured outputs use. */
export type Schema = { readonly [keyword: string]: unknown };

export interface Misfit {
  /** `/name/0`: where; empty for the whole. */
  readonly at: string;
  readonly must: string;
  /** A property that is missing or not wanted. */
  readonly property?: string;
  /** The type it must have, where that is what is wrong. */
  readonly wanted?: string;
  readonly kind: "missing" | "unexpected" | "type" | "other";
}

/** Everything that does not fit; nothing when the value fits. */
export function misfits(
  schema: unknown,
  value: unknown,
  root: unknown = schema,
  at = "",
): Misfit[] {
  if (schema === true || schema === undefined) return [];
  if (schema === false) return [{ at, must: "must not be there", kind: "other" }];
  if (typeof schema !== "object" || schema === null) return [];
  const rules = schema as Schema;
  const target = rules["$ref"];
  if (typeof target === "string") return misfits(refer(root, target), value, root, at);
  const wrongType = typeMisfit(rules, value, at);
  if (wrongType) return [wrongType];
  return [
    ...valueMisfits(rules, value, at),
    ...unionMisfits(rules, value, root, at),
    ...(Array.isArray(value) ? listMisfits(rules, value, root, at) : []),
    ...(isObject(value) ? objectMisfits(rules, value, root, at) : []),
  ];
}

function typeMisfit(rules: Schema, value: unknown, at: string): Misfit | undefined {
  const said = rules["type"];
  if (said === undefined) return undefined;
  const types = Array.isArray(said) ? (said as unknown[]) : [said];
  if (types.some((type) => isOfType(type, value))) return undefined;
  const wanted = types.join(",");
  return { at, must: `must be ${wanted}`, kind: "type", wanted };
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function valueMisfits(rules: Schema, value: unknown, at: string): Misfit[] {
  const found: Misfit[] = [];
  const must = (text: string) => found.push({ at, must: text, kind: "other" });
  const { enum: allowed, const: only } = rules;
  if (Array.isArray(allowed) && !allowed.some((one) => same(one, value))) {
    must("must be equal to one of the allowed values");
  }
  if (only !== undefined && !same(only, value)) must("must be equal to constant");
  if (typeof value === "string") {
    const { minLength, maxLength, pattern } = rules;
    if (typeof minLength === "number" && value.length < minLength) {
      must(`must NOT have fewer than ${minLength} characters`);
    }
    if (typeof maxLength === "number" && value.length > maxLength) {
      must(`must NOT have more than ${maxLength} characters`);
    }
    if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) {
      must(`must match pattern "${pattern}"`);
    }
  }
  if (typeof value === "number") {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
    if (typeof minimum === "number" && value < minimum) must(`must be >= ${minimum}`);
    if (typeof maximum === "number" && value > maximum) must(`must be <= ${maximum}`);
    if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) {
      must(`must be > ${exclusiveMinimum}`);
    }
    if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) {
      must(`must be < ${exclusiveMaximum}`);
    }
    if (typeof multipleOf === "number" && value % multipleOf !== 0) {
      must(`must be multiple of ${multipleOf}`);
    }
  }
  return found;
}

function unionMisfits(rules: Schema, value: unknown, root: unknown, at: string): Misfit[] {
  const fits = (schema: unknown) => misfits(schema, value, root, at).length === 0;
  const { allOf, anyOf, oneOf, not } = rules;
  const found: Misfit[] = [];
  if (Array.isArray(allOf)) found.push(...allOf.flatMap((one) => misfits(one, value, root, at)));
  if (Array.isArray(anyOf) && !anyOf.some(fits)) {
    found.push({ at, must: "must match a schema in anyOf", kind: "other" });
  }
  if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1) {
    found.push({ at, must: "must match exactly one schema in oneOf", kind: "other" });
  }
  if (not !== undefined && fits(not)) found.push({ at, must: "must NOT be valid", kind: "other" });
  return found;
}

function listMisfits(rules: Schema, value: unknown[], root: unknown, at: string): Misfit[] {
  const { items, minItems, maxItems, uniqueItems } = rules;
  const found = value.flatMap((item, index) => misfits(items, item, root, `${at}/${index}`));
  const must = (text: string) => found.push({ at, must: text, kind: "other" });
  if (typeof minItems === "number" && value.length < minItems) {
    must(`must NOT have fewer than ${minItems} items`);
  }
  if (typeof maxItems === "number" && value.length > maxItems) {
    must(`must NOT have more than ${maxItems} items`);
  }
  if (
    uniqueItems === true &&
    new Set(value.map((item) => JSON.stringify(item))).size < value.length
  ) {
    must("must NOT have duplicate items");
  }
  return found;
}

function objectMisfits(
  rules: Schema,
  value: Record<string, unknown>,
  root: unknown,
  at: string,
): Misfit[] {
  const properties = isObject(rules["properties"]) ? rules["properties"] : {};
  const required = Array.isArray(rules["required"]) ? (rules["required"] as string[]) : [];
  const extra = rules["additionalProperties"];
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name): Misfit => {
      return { at, must: `must have required property '${name}'`, property: name, kind: "missing" };
    });
  const inside = Object.entries(value).flatMap(([name, part]): Misfit[] => {
    if (part === undefined) return [];
    if (Object.hasOwn(properties, name)) {
      return misfits(properties[name], part, root, `${at}/${name}`);
    }
    if (extra === false) {
      return [
        { at, must: "must NOT have additional properties", property: name, kind: "unexpected" },
      ];
    }
    return misfits(extra, part, root, `${at}/${name}`);
  });
  return [...missing, ...inside];
}

function refer(root: unknown, target: string): unknown {
  let found: unknown = root;
  for (const step of target.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) ? found[key] : undefined;
  }
  return found;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
