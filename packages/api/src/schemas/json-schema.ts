import * as z from "zod";

const typeNames: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
/** Keywords whose values are one schema, a list of schemas, or schemas by name. */
const single = new Set(["items", "additionalProperties", "not", "if", "then", "else", "contains"]);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const named = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

const MAX_CHARACTERS = 100_000;

type SchemaProblem = string | undefined;

/**
 * Why a JSON Schema cannot describe the answer of an agent, or undefined if it can. Only mistakes that
 * people make are looked for; the agent itself checks the whole schema when it starts.
 */
function findJsonSchemaProblem(schema: Readonly<Record<string, unknown>>): SchemaProblem {
  if (JSON.stringify(schema).length > MAX_CHARACTERS) {
    return `must not have more than ${MAX_CHARACTERS} characters`;
  }
  if (schema["type"] !== "object") return 'must have "type": "object" at its top';
  return findProblem(schema, "");
}

function findProblem(schema: unknown, path: string): SchemaProblem {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${at(path)}must be an object`;
  const { type, required, enum: values } = schema;
  if (type !== undefined && !asList(type).every((name) => typeNames.has(name))) {
    return `${at(path)}has the type ${JSON.stringify(type)}, which is not one of ${[...typeNames].join(", ")}`;
  }
  if (required !== undefined && !isListOfStrings(required)) {
    return `${at(path)}has "required", which must be a list of names`;
  }
  if (values !== undefined && !Array.isArray(values)) {
    return `${at(path)}has "enum", which must be a list`;
  }
  for (const [keyword, inner] of Object.entries(schema)) {
    const problem = findInnerProblem(keyword, inner, path === "" ? keyword : `${path}.${keyword}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findInnerProblem(keyword: string, inner: unknown, path: string): SchemaProblem {
  if (single.has(keyword)) {
    // Older drafts allow a list of schemas for `items`.
    return Array.isArray(inner) ? findFirst(inner.entries(), path) : findProblem(inner, path);
  }
  if (lists.has(keyword)) {
    if (!Array.isArray(inner)) return `${at(path)}must be a list of schemas`;
    return findFirst(inner.entries(), path);
  }
  if (!named.has(keyword)) return undefined;
  if (!isObject(inner)) return `${at(path)}must be an object`;
  return findFirst(Object.entries(inner), path);
}

function findFirst(
  schemas: Iterable<readonly [string | number, unknown]>,
  path: string,
): SchemaProblem {
  for (const [key, schema] of schemas) {
    const problem = findProblem(schema, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const at = (path: string) => (path === "" ? "" : `at ${path}: `);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** The schema of a JSON Schema. */
export const answerSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const message = findJsonSchemaProblem(schema);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .describe("A JSON Schema for the agent's answer. Its top has the type `object`.");
