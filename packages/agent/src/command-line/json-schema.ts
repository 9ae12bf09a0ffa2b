import { jsonError, getKind } from "./configurations.ts";
import { UsageError } from "./usage-error.ts";

type Schema = Record<string, unknown>;

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const counts = /^(max|min)(Length|Items|Properties)$/;
const numbers = new Set([
  "multipleOf",
  "maximum",
  "minimum",
  "exclusiveMaximum",
  "exclusiveMinimum",
]);
const oneSchema = new Set([
  "additionalProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const namedSchemas = new Set(["definitions", "$defs", "properties", "patternProperties"]);
const listedSchemas = new Set(["allOf", "anyOf", "oneOf"]);

/** Reads `--json-schema`, or throws an error that says what is wrong with it. */
export function readSchema(text: string | undefined): Schema | undefined {
  if (text === undefined || text === "") return undefined;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (failure) {
    throw new UsageError(`Error: --json-schema is not valid JSON: ${jsonError(failure)}`);
  }
  if (getKind(schema) !== "object")
    throw new UsageError("Error: --json-schema must be a JSON object");
  const flaw = getFlaw(schema, "data") ?? findMissingReference(schema, schema as Schema);
  if (flaw === undefined) return schema as Schema;
  throw new UsageError(`Error: --json-schema is not a valid JSON Schema: ${flaw}`);
}

/** Finds a reference to a part that the schema does not have. References by URL are not checked. */
function findMissingReference(value: unknown, root: Schema): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { $ref } = value as Schema;
  // A reference with a percent sign may be spelled in several ways and is not checked here.
  if (typeof $ref === "string" && /^#\/[^%]*$/.test($ref) && !has(root, $ref)) {
    return `can't resolve reference ${$ref} from id #`;
  }
  return getFirst(Object.values(value), (inner) => findMissingReference(inner, root));
}

function has(root: Schema, reference: string): boolean {
  let at: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Schema)[name];
  }
  return true;
}

/** Finds the first error in the schema and words it like Ajv, which Claude Code uses. */
function getFlaw(schema: unknown, at: string): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (getKind(schema) !== "object") return `${at} must be object,boolean`;
  return getFirst(Object.entries(schema as Schema), ([word, value]) =>
    keywordFlaw(word, value, `${at}/${word}`),
  );
}

function keywordFlaw(word: string, value: unknown, at: string): string | undefined {
  if (word === "type") return typeFlaw(value, at);
  if (word === "required")
    return findListProblem(value, at, (one, place) =>
      typeof one === "string" ? undefined : `${place} must be string`,
    );
  if (word === "enum") return findListProblem(value, at, () => undefined);
  if (word === "items" && Array.isArray(value)) return findListProblem(value, at, getFlaw);
  if (word === "items" || oneSchema.has(word)) return getFlaw(value, at);
  if (listedSchemas.has(word)) return findListProblem(value, at, getFlaw);
  if (numbers.has(word)) return typeof value === "number" ? undefined : `${at} must be number`;
  if (counts.test(word)) return Number.isInteger(value) ? undefined : `${at} must be integer`;
  if (!namedSchemas.has(word)) return undefined;
  if (getKind(value) !== "object") return `${at} must be object`;
  return getFirst(Object.entries(value as Schema), ([name, one]) => getFlaw(one, `${at}/${name}`));
}

function typeFlaw(value: unknown, at: string): string | undefined {
  const isType = (one: unknown) => types.has(one as string);
  if (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value))
    return undefined;
  const bad = Array.isArray(value) ? value.findIndex((one) => !isType(one)) : -1;
  const allowed = "must be equal to one of the allowed values";
  const asList = bad === -1 ? `${at} must be array` : `${at}/${bad} ${allowed}`;
  return `${at} ${allowed}, ${asList}, ${at} must match a schema in anyOf`;
}

function findListProblem(
  value: unknown,
  at: string,
  flaw: (one: unknown, place: string) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return `${at} must be array`;
  return getFirst(
    value.map((one, index) => [one, `${at}/${index}`] as const),
    ([one, place]) => flaw(one, place),
  );
}

function getFirst<T>(all: readonly T[], flaw: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = flaw(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
