import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Schema } from "../json/schema.ts";

/**
 * Converts texts in an input to the numbers, booleans and JSON that the schema requires, because
 * models sometimes write them as texts.
 */
export function coerceInput(schema: Schema, input: JsonObject): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const coercedFields = Object.entries(input).map(([name, value]): [string, unknown] => {
    const rules = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof value !== "string") return [name, value];
    const types = typesIn(rules);
    if (types.includes("string")) return [name, value];
    const read = types.map((type) => readAs(type, value)).find((one) => one !== undefined);
    return [name, read ?? value];
  });
  return Object.fromEntries(coercedFields);
}

function typesIn(rules: unknown): unknown[] {
  if (!isObject(rules)) return [];
  const { type, anyOf } = rules;
  return [type, ...(Array.isArray(anyOf) ? anyOf.flatMap(typesIn) : [])].flat();
}

function readAs(type: unknown, text: string): unknown {
  switch (type) {
    case "boolean":
      return text === "true" || (text === "false" ? false : undefined);
    case "number":
    case "integer":
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
    case "array":
    case "object":
      return readJson(type, text);
    default:
      return undefined;
  }
}

function readJson(type: "array" | "object", text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return (type === "array" ? Array.isArray(value) : isObject(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}
