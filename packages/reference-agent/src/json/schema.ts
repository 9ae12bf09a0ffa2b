import { createRequire } from "node:module";
import { isObject } from "@signalbox/protocol/wire";
import type { Ajv, ErrorObject, ValidateFunction } from "ajv";

/** A JSON Schema, of a tool's input or of a structured output. */
export type Schema = { readonly [keyword: string]: unknown };

export interface SchemaViolation {
  /** The place as a JSON pointer such as `/name/0`; empty for the whole value. */
  readonly at: string;
  /** The requirement that is violated. */
  readonly must: string;
  /** A property that is missing or not allowed. */
  readonly property?: string;
  /** The required type, if the type is wrong. */
  readonly wanted?: string;
  readonly kind: "missing" | "unexpected" | "type" | "other";
}

/**
 * Finds all violations of a schema: missing properties first, then the others in the value's order.
 */
export function findViolations(schema: Schema, value: unknown): SchemaViolation[] {
  const validate = getValidator(schema);
  if (!validate || validate(value)) return [];
  const names = isObject(value) ? Object.keys(value) : [];
  const place = ({ kind, at, property }: SchemaViolation) =>
    kind === "missing" ? -1 : names.indexOf(at.split("/")[1] ?? property ?? "");
  return (validate.errors ?? [])
    .map(toViolation)
    .toSorted((one, other) => place(one) - place(other));
}

function toViolation({ instancePath, message, keyword, params }: ErrorObject): SchemaViolation {
  const known = { at: instancePath, must: message ?? "" };
  const { missingProperty, additionalProperty, type } = params as Record<string, unknown>;
  switch (keyword) {
    case "required":
      return { ...known, kind: "missing", property: String(missingProperty) };
    case "additionalProperties":
      return { ...known, kind: "unexpected", property: String(additionalProperty) };
    case "type":
      return { ...known, kind: "type", wanted: String(type) };
    default:
      return { ...known, kind: "other" };
  }
}

const validators = new WeakMap<Schema, ValidateFunction | null>();
let ajv: Ajv | undefined;

/**
 * Compiles a schema. Returns null for a schema that cannot be checked, such as one that refers to
 * another address.
 */
function getValidator(schema: Schema): ValidateFunction | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  let validate: ValidateFunction | null;
  try {
    validate = (ajv ??= loadAjv()).compile({ ...schema });
  } catch {
    validate = null;
  }
  validators.set(schema, validate);
  return validate;
}

/**
 * Loads Ajv at the first call of a tool, because loading it takes longer than the rest of the
 * agent's start.
 */
function loadAjv(): Ajv {
  const require = createRequire(import.meta.url);
  const { Ajv } = require("ajv") as typeof import("ajv");
  return new Ajv({
    allErrors: true,
    strict: false,
    logger: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
  });
}
