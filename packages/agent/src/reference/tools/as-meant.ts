import type { JsonObject } from "@signalbox/protocol/wire";
import { isRecord, type Schema } from "./schema.ts";

/** Models write numbers and truth values as texts now and then: taken for what they are meant to be. */
export function asMeant(schema: Schema, input: JsonObject): JsonObject {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const meant = Object.entries(input).map(([name, value]): [string, unknown] => {
    const rules = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [
      name,
      isRecord(rules) && typeof value === "string" ? read(rules["type"], value) : value,
    ];
  });
  return Object.fromEntries(meant);
}

function read(type: unknown, text: string): unknown {
  switch (type) {
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "number":
    case "integer":
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
