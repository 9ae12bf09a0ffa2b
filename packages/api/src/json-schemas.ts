import * as z from "zod";
import { namedSchemas } from "./schema-names.ts";
import { describedAs } from "./schemas/tolerant.ts";

/** A JSON schema, with the fields that are used here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

type Direction = "input" | "output";

const PREFIX = "#/components/schemas/";

/**
 * Collects the JSON schemas of the contract, with references to the named ones. A named schema has
 * two names if requests and answers differ in shape (a field with a default may be omitted in a
 * request): `Agent` and `AgentInput`.
 */
export class JsonSchemas {
  readonly #inputs = convert("input");
  readonly #outputs = convert("output");
  readonly #namesWithTwoShapes: ReadonlySet<string>;
  readonly #used = new Map<string, JsonSchema>();

  constructor() {
    const names = Object.keys(namedSchemas);
    const differing = new Set(names.filter((name) => !this.#isSame(name)));
    // A schema that refers to one with two names has two names itself.
    for (let size = -1; size !== differing.size;) {
      size = differing.size;
      for (const name of names) {
        const refers = listReferences(this.#outputs[name]).some((each) => differing.has(each));
        if (refers) differing.add(name);
      }
    }
    this.#namesWithTwoShapes = differing;
  }

  /** The schema of a value in a request (`input`) or an answer (`output`). */
  get(schema: z.ZodType, direction: Direction): JsonSchema {
    const registry = register();
    const own = registry.get(schema)?.id;
    if (own !== undefined) return this.#reference(own, direction);
    registry.add(schema, { id: "this" });
    return this.#resolve(toJson(registry, direction)["this"] ?? {}, direction);
  }

  /** All named schemas that were referred to so far, in alphabetical order. */
  get used(): Record<string, JsonSchema> {
    const entries = [...this.#used].map(
      ([name, schema]) => [this.#getFinalName(name), schema] as const,
    );
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Replaces the names in the document with the final ones: a schema that is only sent needs no
   * second name.
   */
  finish<T>(document: T): T {
    const reference = (name: string) => ({ $ref: PREFIX + this.#getFinalName(name) });
    return mapReferences(document, reference) as T;
  }

  #getFinalName(name: string): string {
    const withoutSuffix = name.replace(/Input$/, "");
    return this.#used.has(withoutSuffix) ? name : withoutSuffix;
  }

  #isSame(name: string): boolean {
    return JSON.stringify(this.#inputs[name]) === JSON.stringify(this.#outputs[name]);
  }

  #reference(name: string, direction: Direction): JsonSchema {
    const isInput = direction === "input" && this.#namesWithTwoShapes.has(name);
    const shown = isInput ? `${name}Input` : name;
    if (!this.#used.has(shown)) {
      this.#used.set(shown, {}); // A schema may refer to itself.
      const schemas = direction === "input" ? this.#inputs : this.#outputs;
      this.#used.set(shown, this.#resolve(schemas[name] ?? {}, direction));
    }
    return { $ref: PREFIX + shown };
  }

  #resolve(schema: JsonSchema, direction: Direction): JsonSchema {
    return mapReferences(schema, (name) => this.#reference(name, direction)) as JsonSchema;
  }
}

function register() {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(namedSchemas)) registry.add(schema, { id });
  return registry;
}

function convert(direction: Direction): Record<string, JsonSchema> {
  return toJson(register(), direction);
}

function toJson(
  registry: ReturnType<typeof register>,
  direction: Direction,
): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io: direction,
    unrepresentable: "any",
    uri: (id) => PREFIX + id,
    override: ({ zodSchema, jsonSchema }) => {
      // An answer may have more fields than are described.
      if (direction === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
      const described = describedAs.get(zodSchema);
      const name = described && registry.get(described)?.id;
      if (name === undefined) return;
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      jsonSchema.$ref = PREFIX + name;
    },
  });
  const entries = Object.entries(schemas).map(([id, schema]) => {
    const { $schema: _, $id: __, id: ___, ...rest } = schema as Record<string, unknown>;
    return [id, rest] as const;
  });
  return Object.fromEntries(entries);
}

function mapReferences(value: unknown, reference: (name: string) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((each) => mapReferences(each, reference));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: unknown };
  const inner = Object.entries(rest).map(([key, each]) => [key, mapReferences(each, reference)]);
  const mapped = Object.fromEntries(inner) as JsonSchema;
  if (typeof $ref !== "string") return mapped;
  return { ...reference($ref.slice(PREFIX.length)), ...mapped };
}

function listReferences(value: unknown): string[] {
  const names: string[] = [];
  mapReferences(value, (name) => {
    names.push(name);
    return {};
  });
  return names;
}
